"""Hostile headers: many, long, deeply folded, costly to decode."""

from random import Random

from bench.hostile.making import LETTER, MEGABYTE, fill, full_parts, headers, one_part, parts, shape


@shape
def fifty_thousand_header_lines() -> bytes:
    return headers(b"X-Line-%d: some value", times=50_000)


@shape
def one_header_line_of_a_megabyte() -> bytes:
    return LETTER + b"X-Long: " + fill(b"word ", MEGABYTE - 200) + b"\n\nbody\n"


@shape
def header_name_of_a_megabyte() -> bytes:
    return fill(b"N")[:-10] + b": value\n"


@shape
def header_name_followed_by_a_megabyte_of_blanks() -> bytes:
    return b"Name" + fill(b" \t")[:-20] + b": value\n\nbody\n"


@shape
def header_folded_three_hundred_thousand_times() -> bytes:
    return LETTER + b"X-Folded: a" + fill(b"\n a", MEGABYTE - 200) + b"\n\nbody\n"


@shape
def folded_headers_that_end_without_a_blank_line() -> bytes:
    block = b"X-Folded: a" + fill(b"\n ", 100_000) + b"\nno header here\n\n"
    return parts([block] * 10, b"message/rfc822")


@shape
def folded_parts_that_end_without_a_blank_line() -> bytes:
    block = b"--x\nX-Folded: a" + fill(b"\n ", 100_000) + b"\nno header here\n\n"
    return LETTER + b"Content-Type: multipart/mixed; boundary=x\n\n" + block * 10


@shape
def short_header_lines_in_nested_messages() -> bytes:
    level = b"Content-Type: message/rfc822\n" + fill(b"a:\n", 100_000) + b"\n"
    return (level * 10)[:MEGABYTE]


@shape
def thousands_of_received_headers() -> bytes:
    return headers(
        b"Received: from mail%d.example.org (mail.example.org [192.0.2.1]) by mx.example.net with id 12; now",
        times=9_000,
    )


@shape
def content_type_of_quotes() -> bytes:
    return one_part(b"text", b'multipart/mixed; boundary="' + fill(b'\\"', 500_000))


@shape
def content_type_of_unclosed_parameters() -> bytes:
    return full_parts(b"text", b"text/plain" + fill(b';a="', 4000))


@shape
def content_type_of_semicolons_and_blanks() -> bytes:
    return full_parts(b"text", b"text/plain" + b";" + b" " * 2000 + b"; a" + b" " * 2000 + b"charset")


@shape
def content_type_of_parameters() -> bytes:
    return full_parts(b"text", b"text/plain; charset=x" + b"".join(b"; name%d=value" % i for i in range(280)))


@shape
def content_type_of_numbered_pieces() -> bytes:
    return full_parts(b"text", b"text/plain" + b"".join(b"; name*%d*=utf-8'%%c3" % (9999 - i) for i in range(200)))


@shape
def file_names_of_percent_signs() -> bytes:
    return full_parts(b"text", b"text/plain; name*0*=utf-8''" + fill(b"%41", 4000))


@shape
def parameter_with_a_number_of_thousands_of_digits() -> bytes:
    return full_parts(b"text", b"text/plain; name*" + b"9" * 4050 + b"=x")


@shape
def file_names_in_an_undeclared_charset() -> bytes:
    name = b"; name%d*x=a; name=" + "проверка-документа".encode("koi8-r")
    return full_parts(b"text", b"text/plain" + b"".join(name.replace(b"%d", b"%d" % i) for i in range(40)))


@shape
def parameters_in_an_undeclared_charset() -> bytes:
    each = [b"; p%d=" % i + "проверка ещё одного документа".encode("koi8-r") for i in range(40)]
    return full_parts(b"text", b"text/plain; name=x; charset=y" + b"".join(each))


@shape
def date_of_blanks() -> bytes:
    return headers(b"Date: Mon, 4 Mar 2024 10:20:30" + b" " * 560 + b"!")


@shape
def date_of_blanks_below_the_cache() -> bytes:
    return headers(b"Date: Mon, 4 Mar 2024 10:20:30" + b" " * 110 + b"!%d")


@shape
def date_of_brackets() -> bytes:
    return headers(b"Date: Mon, 4 Mar 2024 10:20:30 +0100 (" + b")" * 540 + b"!")


@shape
def address_without_end() -> bytes:
    return headers(b"From: " + b"a" * 594)


@shape
def addresses_of_letters_and_words() -> bytes:
    return headers(b"Return-Path: <a@%d" + fill("width=&а".encode(), 580))


@shape
def addresses_everywhere() -> bytes:
    return headers(b"From: " + b"a@" * 290)


@shape
def two_hundred_thousand_addresses_in_one_header() -> bytes:
    return LETTER + b"To: " + fill(b"a@", 400_000) + b"\nReply-To: " + fill(b"a@", 120_000) + b"\n\nbody\n"


@shape
def addresses_at_deep_hosts() -> bytes:
    return headers(b"From: <x@%d." + b"a." * 120 + b"example.co.uk>")


@shape
def addresses_at_hosts_all_different() -> bytes:
    return headers(b"From: " + b", ".join(b"x@%b%%d.%d.co.uk" % (b"a." * 55, number) for number in range(4)))


@shape
def encoded_word_openings() -> bytes:
    return headers(b"Subject: " + fill(b"=?", 2400))


@shape
def encoded_word_openings_in_one_header() -> bytes:
    return headers(b"Subject: " + fill(b"=?", 1_000_000), times=1)


@shape
def encoded_words_without_end() -> bytes:
    return headers(b"Subject: " + fill(b"=?a?q?", 590))


@shape
def encoded_words_of_unknown_charsets() -> bytes:
    return headers(b"Subject: " + b" ".join(b"=?z%dx%%d?q?a?=" % number for number in range(40)))


@shape
def encoded_words_of_many_charsets() -> bytes:
    names = [b"koi8-r", b"gb18030", b"utf-7", b"iso-2022-jp", b"utf-16", b"big5", b"hz", b"cp1006", b"utf-32"]
    words = b" ".join(b"=?%b?q?=FF=FE~{=?=" % name for name in names * 5)
    return headers(b"Subject: " + words)


@shape
def headers_in_an_undeclared_charset() -> bytes:
    random = Random(1)
    letters = "абвгдежзийклмнопрстуфхцчшщыьэюя "
    lines = ["".join(random.choices(letters, k=590)).encode("koi8-r") for _ in range(400)]
    return headers(*(b"Subject: " + line for line in lines), times=1)


@shape
def headers_of_random_bytes() -> bytes:
    random = Random(2)
    lines = [random.randbytes(590).translate(None, b"\n\r") for _ in range(400)]
    return headers(*(b"Subject: " + line for line in lines), times=1)


@shape
def headers_of_combining_marks() -> bytes:
    return headers(b"Subject: %d a" + ("\u0301" * 145 + "\u0323" * 145).encode())


@shape
def signature_of_semicolons() -> bytes:
    return headers(b"DKIM-Signature: %d" + b";d=" * 190)


@shape
def identifiers_of_letters_and_digits() -> bytes:
    return headers(b"Message-ID: <%d" + b"a9" * 280 + b"@x>")
