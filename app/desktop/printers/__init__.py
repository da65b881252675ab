"""Label printers of this workstation: network printers, CUPS queues, the Windows spooler."""
