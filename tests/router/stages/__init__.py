"""Tests of stages, by module; `tests/conversations/stages.md` lists the talks that go through each stage."""
