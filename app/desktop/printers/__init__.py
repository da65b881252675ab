"""Label printers of this workstation: network printers, CUPS queues, and the Windows spooler."""
