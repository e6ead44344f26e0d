"""Codecs without sockets: bytes in, events out, bytes for the answer.

Their law: any chunking of the same bytes gives the same events, no input raises anything but the codec's own error,
memory is bounded, and nothing here reads a clock, a file or a socket.
"""
