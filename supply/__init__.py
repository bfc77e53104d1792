"""What Kongbox is made of, how it is packed for other systems, and its trial on 64-bit ARM."""
