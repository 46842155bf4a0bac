"""The console: commands, the prompt and every sentence a person reads."""
