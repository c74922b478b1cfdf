module orchestrate.example/agent

go 1.19
