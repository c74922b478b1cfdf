#!/bin/sh
# One turn of a served world with curl: takes the entity in ENTITY_ID, waits a turn, and gives it back.
set -eu
world="${WORLD_ADDR:-127.0.0.1:50051}"
entity="${ENTITY_ID:-knight}"
call() { curl -sf -H 'content-type: application/json' "http://$world/orchestrate.world.v1.$1" -d "$2"; }

lease=$(call LeaseService/AcquireLease "{\"entity\": \"$entity\", \"controller\": \"${CONTROLLER_ID:-curl}\"}" | sed 's/.*"lease":"\([0-9a-f]*\)".*/\1/')
tick=$(call WorldService/GetWorld '{}' | sed -n 's/.*"tick":"\([0-9]*\)".*/\1/p')
call PlayService/SubmitIntent "{\"lease\": \"$lease\", \"tick\": ${tick:-1}, \"wait\": {}}"
echo
call LeaseService/ReleaseLease "{\"lease\": \"$lease\"}"
echo
