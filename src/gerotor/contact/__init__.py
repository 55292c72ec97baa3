"""Contact between the tool and the world: one kind a file."""
