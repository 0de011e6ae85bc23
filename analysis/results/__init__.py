"""What a report answers, one question a file: data in, frozen results out."""
