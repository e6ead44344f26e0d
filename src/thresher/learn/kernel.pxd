# Types for kernel.py: with these Cython makes C of it. Bounds of arrays are checked (tools/build_kernel.py).
cimport cython

ctypedef unsigned long long u64
ctypedef long long s64
ctypedef const unsigned char[::1] Text

cdef int BLANK, LINE_FEED, MAX_WORD, JOINED_RUN, PIECE, ZERO, NINE, LETTER, PIECES, GONE, SHAPE, PLAIN
cdef int KEY_FINISH, KEY_LONG, KEY_FIELD, KEY_PAIR, KEY_ORDER, KEY_SHAPE, KEY_SLOT
cdef int NAMES, CONTENT_NAMES, PEOPLE_NAMES
cdef u64 ALL_BITS, MARK, CONTENT, PEOPLE, REST

@cython.locals(i=Py_ssize_t, done=Py_ssize_t)
cpdef hash_streams(list streams, u64[::1] keys, Text tables, int bits, int[::1] seen, s64[::1] places, u64[::1] hashes,
                   s64[::1] slots, s64[::1] offsets)

@cython.locals(room=Py_ssize_t, words=Py_ssize_t, end=Py_ssize_t, count=Py_ssize_t)
cdef Py_ssize_t hash_stream(Text text, u64[::1] keys, Text tables, int bits, int[::1] seen, s64[::1] places,
                            u64[::1] hashes, s64[::1] slots, Py_ssize_t done) except -1

cdef u64 finish(u64 number, u64 key) noexcept

@cython.locals(words=Py_ssize_t, chosen=Py_ssize_t, at=Py_ssize_t, size=Py_ssize_t, start=Py_ssize_t, total=u64,
               piece=u64, shift=int, key=Py_ssize_t, digits=int, byte=u64)
cdef Py_ssize_t find_words(Text text, u64[::1] keys, s64[::1] places, Py_ssize_t room, u64[::1] hashes) except -1

@cython.locals(power=u64)
cdef u64 size_class(u64 length) noexcept

@cython.locals(chosen=Py_ssize_t, i=Py_ssize_t, word=Py_ssize_t, total=u64, piece=u64, shift=int, key=Py_ssize_t,
               at=Py_ssize_t, byte=u64)
cdef Py_ssize_t hash_again(Text text, u64[::1] keys, Text tables, Py_ssize_t table, s64[::1] places, Py_ssize_t room,
                           u64[::1] hashes) except -1

@cython.locals(under=u64, i=Py_ssize_t)
cdef int put_under_fields(Text text, u64[::1] keys, s64[::1] places, Py_ssize_t words, u64[::1] hashes,
                          Py_ssize_t room) except -1

cdef u64 marked(u64 number, u64 view) noexcept

@cython.locals(i=Py_ssize_t)
cdef u64 view_of(u64 name, u64[::1] keys) except? 3

@cython.locals(i=Py_ssize_t, both=u64)
cdef int pair(Text text, u64[::1] keys, s64[::1] places, Py_ssize_t words, u64[::1] hashes, Py_ssize_t room) except -1

@cython.locals(fields=Py_ssize_t, i=Py_ssize_t, before=u64, both=u64)
cdef Py_ssize_t in_order(Text text, u64[::1] keys, s64[::1] places, Py_ssize_t words, u64[::1] hashes,
                         Py_ssize_t room) except -1

@cython.locals(kept=Py_ssize_t, i=Py_ssize_t, word=Py_ssize_t, start=Py_ssize_t, at=Py_ssize_t)
cdef int keep_lettered(Text text, s64[::1] places, Py_ssize_t room) except -1

@cython.locals(runs=Py_ssize_t, first=Py_ssize_t, i=Py_ssize_t, total=u64, piece=u64, shift=int, key=Py_ssize_t,
               word=Py_ssize_t, byte=u64)
cdef Py_ssize_t joined_runs(Text text, u64[::1] keys, s64[::1] places, Py_ssize_t room, Py_ssize_t words,
                            u64[::1] hashes) except -1

@cython.locals(i=Py_ssize_t, under=u64, mixed=u64)
cdef int mix(u64[::1] keys, s64[::1] places, Py_ssize_t room, u64[::1] hashes, u64 key) except -1

@cython.locals(i=Py_ssize_t, mixed=u64, view=u64)
cdef Py_ssize_t add_slots(u64[::1] hashes, Py_ssize_t first, Py_ssize_t count, u64[::1] keys, int bits, s64[::1] slots,
                          Py_ssize_t end) except -1

@cython.locals(mask=Py_ssize_t, i=Py_ssize_t, at=Py_ssize_t, kept=Py_ssize_t)
cdef Py_ssize_t keep_last(int[::1] seen, int bits, s64[::1] slots, Py_ssize_t done, Py_ssize_t end) except -1
