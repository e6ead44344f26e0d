# Types for kernel.py: with these Cython makes C of it. Bounds are checked (tools/build_kernel.py).
cimport cython

cdef int LINE_FEED, TAB, BLANK, COLON, FIRST_VISIBLE, LAST_VISIBLE, OPENING, CLOSING, LETTER_A, LETTER_Z, BANG, SLASH
cdef int QUESTION, VERTICAL_TAB_TO_RETURN, MANY, MAX_NAME, DOTS, DOT, NINE

@cython.locals(fields=list, size=Py_ssize_t, at=Py_ssize_t, start=Py_ssize_t, stop=Py_ssize_t, begin=Py_ssize_t,
               folded=bint, value=bytes, head="const unsigned char[::1]")
cpdef split_fields(bytes source, Py_ssize_t most, dict names)

cdef bytes name_of(bytes written, dict names)

@cython.locals(unread=int, received=int, recurring=int, most_lines=Py_ssize_t, most_value=Py_ssize_t,
               most_cached=Py_ssize_t, left=Py_ssize_t, lines=list, kind=int, addressed=bint, name=bytes, whole=bytes,
               value=bytes, line=bytes)
cpdef list header_lines(headers, reading_of, cached_line, bytes table, tuple bounds, set hints, dict addresses)

cpdef bint is_plain(bytes value)

cpdef bytes without_id(bytes value)

@cython.locals(shape=bytearray, end=Py_ssize_t, last=int, i=Py_ssize_t, byte=int)
cpdef bytes shape_of(bytes identifier, bytes table, Py_ssize_t most)

@cython.locals(name=bytes, value=bytes)
cpdef bytes field_value(headers, bytes wanted)

@cython.locals(dots=int, i=Py_ssize_t, byte=int)
cpdef count_marks(bytes text, bytes numbers, Py_ssize_t ellipsis, long long[::1] counts)

@cython.locals(size=Py_ssize_t, shown=bytearray, end=Py_ssize_t, at=Py_ssize_t, byte=int, start=Py_ssize_t, name=bytes, page="const unsigned char[::1]", out="unsigned char[::1]")
cpdef bytes without_tags(bytes source, frozenset glue, set names)

@cython.locals(page="const unsigned char[::1]", table="const unsigned char[::1]", found=list, at=Py_ssize_t,
               number=Py_ssize_t)
cpdef list find_places(bytes source, tuple words, bytes pairs, Py_ssize_t most)

cdef bint begins_tag(int byte) noexcept

cdef bint is_space(int byte) noexcept

@cython.locals(start="const char*")
cpdef bytes piece(bytes source, Py_ssize_t begin, Py_ssize_t end)
