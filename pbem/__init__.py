"""The post office: a mail from the inbox to the desk, its answer to the outbox, and what is kept and shown of both."""
