"""What sets the project up and keeps its processes together; standard library only."""
