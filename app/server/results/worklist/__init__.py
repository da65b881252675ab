"""The lab's worklist: releases the results of many orders at once."""
