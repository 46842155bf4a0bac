"""The console in lines, for screen readers, scripts and small windows."""
