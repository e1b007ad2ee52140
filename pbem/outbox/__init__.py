"""The outbox: letters queued once, and sent by SMTP until they are delivered or given up."""
