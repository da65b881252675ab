"""Label printers: network printers, CUPS queues, and the Windows spooler."""
