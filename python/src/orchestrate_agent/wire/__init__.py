"""Generated from proto/orchestrate/world/v1/world.proto by `node scripts/python-proto.mjs`; never edited."""
