// An agent in Go with the standard library alone: JSON over HTTP. It picks up what it can, else goes where it went least often.
// Run it with: ENTITY_ID=knight go run .
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

type choice struct {
	Slot   string
	Values []string
}

type observation struct {
	Tick          json.Number
	Attempt       int
	IsFinal       bool
	State, Reason string
	Offers        []struct {
		Action  string
		Choices []choice
	}
}

type refusal struct{ Code, Message string }

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

var base = "http://" + env("WORLD_ADDR", "127.0.0.1:50051") + "/orchestrate.world.v1."

func post(method, kind string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest("POST", base+method, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", kind)
	if token := os.Getenv("ORCHESTRATE_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return http.DefaultClient.Do(request)
}

func call(method string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	response, err := post(method, "application/json", body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var refused refusal
		_ = json.NewDecoder(response.Body).Decode(&refused)
		return fmt.Errorf("%s: %s %s", method, refused.Code, refused.Message)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// observations calls see with each message of the stream: each has a byte of flags and its length before it.
func observations(lease string, see func(observation) error) error {
	body, _ := json.Marshal(map[string]any{"lease": lease})
	head := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body)))
	response, err := post("PlayService/StreamObservations", "application/connect+json", append(head, body...))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	reader := bufio.NewReader(response.Body)
	for {
		var frame [5]byte
		if _, err := io.ReadFull(reader, frame[:]); err != nil {
			return err
		}
		message := make([]byte, binary.BigEndian.Uint32(frame[1:]))
		if _, err := io.ReadFull(reader, message); err != nil {
			return err
		}
		if frame[0]&2 != 0 {
			return fmt.Errorf("the stream has ended: %s", message)
		}
		var seen observation
		if err := json.Unmarshal(message, &seen); err != nil {
			return err
		}
		if err := see(seen); err != nil {
			return err
		}
	}
}

var taken = map[string]int{}

// decide returns an action of the offers and its arguments.
func decide(seen observation) (string, map[string]any) {
	values := func(action, slot string) []string {
		for _, offer := range seen.Offers {
			for _, choice := range offer.Choices {
				if offer.Action == action && choice.Slot == slot {
					return choice.Values
				}
			}
		}
		return nil
	}
	text := func(value string) map[string]any { return map[string]any{"text": value} }
	if things := values("TAKE", "thing"); len(things) > 0 {
		return "TAKE", map[string]any{"thing": text(things[0])}
	}
	best, slot := "", ""
	for _, name := range []string{"direction", "target"} {
		for _, way := range values("GO", name) {
			if best == "" || taken[way] < taken[best] {
				best, slot = way, name
			}
		}
	}
	if best == "" {
		return "WAIT", map[string]any{}
	}
	taken[best]++
	return "GO", map[string]any{slot: text(best)}
}

func play() error {
	var lease struct{ Lease string }
	request := map[string]any{"entity": env("ENTITY_ID", "knight"), "controller": env("CONTROLLER_ID", "go")}
	if err := call("LeaseService/AcquireLease", request, &lease); err != nil {
		return err
	}
	go func() {
		for range time.Tick(3 * time.Second) {
			_ = call("LeaseService/RenewLease", lease, &struct{}{})
		}
	}()
	return observations(lease.Lease, func(seen observation) error {
		if seen.IsFinal {
			fmt.Println(seen.State, seen.Reason)
			os.Exit(0)
		}
		// The first message only says that the stream is open.
		if seen.Tick == "" {
			return nil
		}
		action, args := decide(seen)
		intent := map[string]any{
			"lease": lease.Lease, "tick": seen.Tick, "attempt": seen.Attempt,
			"call": map[string]any{"action": action, "args": args},
		}
		var ack struct {
			Accepted        bool
			Action, Message string
		}
		if err := call("PlayService/SubmitIntent", intent, &ack); err != nil {
			return err
		}
		if !ack.Accepted {
			ack.Action = ack.Message
		}
		fmt.Printf("T%s %s\n", seen.Tick, ack.Action)
		return nil
	})
}

func main() {
	if err := play(); err != nil {
		log.Fatal(err)
	}
}
