# Types for step_kernel.py: with these Cython makes C of it. Bounds of arrays are checked (tools/build_kernel.py).
cimport cython

ctypedef unsigned int u32
ctypedef long long s64

cdef int SPAM, HAM, WEIGHT, SQUARE, COUNTED, VIEWS

@cython.locals(prior=double, floor=double, new=double, message=Py_ssize_t, i=Py_ssize_t, slot=Py_ssize_t, spam=u32, ham=u32,
               value=double, quarter=Py_ssize_t, at=Py_ssize_t)
cpdef look(const u32[:, ::1] counts, const float[:, ::1] numbers, const double[::1] logs, const s64[::1] slots,
           const s64[::1] offsets, int bits, const double[::1] constants, double[::1] values, double[::1] sums)

@cython.locals(i=Py_ssize_t, slot=Py_ssize_t, quarter=Py_ssize_t, gradient=double, square=double)
cpdef gradients(float[:, ::1] numbers, const s64[::1] slots, int bits, double[::1] errors, double[::1] values,
                double[::1] squares)

@cython.locals(i=Py_ssize_t, slot=Py_ssize_t)
cpdef step(u32[:, ::1] counts, float[:, ::1] numbers, const s64[::1] slots, double rate, int column, double[::1] values,
           double[::1] roots)
