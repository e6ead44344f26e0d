"""What machines and mailing lists write in English: newsletters full of offers, receipts, notices, patches, reports."""

from thresher.demo.phrases import lines

RULES = {
    "news_subject": lines("""
        [{gain} off|Up to {20..70}% off|Save {10..60}%|{price} off] [all {goods}|{goods} and {goods}|everything|your next order][!|]
        [Last chance|Only today|Ends {weekday}|Final hours|Sale]: {goods} [from {price}|up to {20..70}% off|]
        [New|Just in|Back in stock|Members only]: {goods}[ for {month}| and {goods}|]
        [{to}, y|Y]our [{month} offers|vouchers|free gifts|discounts|points] [inside|expire|is waiting|are here]
        [{^month} news|Newsletter {1..52}|What's on in {month}|Our picks|This week] [from {company}|at {company}|]
        [How to choose|{3..12} reasons to love|Our guide to|The best] {goods}
        [Thank you for {2..12} years|We miss you|Happy birthday][, {to}|!|]
    """),
    "news": lines("""
        [This week|In {month}|From {weekday}|Until {weekday}] you [save|get] [up to|] {10..70}% [off|on] {goods}[ and {goods}|][.|!]
        [Our customers|Members|Our readers|{^any} from our team] [love|chose|recommend] {gadget} [for {month}|this season|at {price}].
        Use [the|your] code {*6} at checkout [for {price} off|before {weekday}|and delivery is free|, one use per customer].
        [Free delivery|No delivery charge|Free returns] [on orders over {price}|until {weekday}|this week only][!|.]
        [New in our|In the] [shop|range|catalogue]: {goods} [from {brand}|made in {town}|in {3..14} colours].
        [Only|Just] {3..90} left [in stock|at this price] - [order now|don't miss it|be quick][!|.]
        [Meet|Visit] us at our shop in {town}, open until {clock} on {weekday}.
        [You have|Your account shows] {100..4900} points, [worth {price}|which expire in {month}|swap them for {goods}].
        [Read|Our magazine]: {3..12} [tips|ideas|things to know] about {topic}.
        [Exclusive|A treat] for our [members|subscribers|best customers]: {gadget} for {price}[ instead of {price}|].
        [The sale|Winter sale|Summer sale|Stock clearance] [starts|ends] {when}: {goods}, {goods}, {goods}.
        [Rated|{^gadget}, rated] {4..5} stars by {200..9000} [buyers|customers], now {price}.
        [Limited|Special] edition: {brand} {goods}, [numbered|while stocks last|not in shops].
        [Buy two, pay for one|Buy now, pay in {month}|Three for two|Win a voucher over {price}][!|.]
        [The harvest|The new season|Autumn|Spring] is here, and so [are|is our choice of] {goods}.
    """),
    "offer": lines("""
        {^gadget} - {price} [instead of {price}|]
        {brand} {goods}, now {price}
        {^goods}: [from|up to {10..70}% off, from] {price}
        [Set of {2..12}|Pack of {2..24}] {goods} {price}
        {brand} [Classic|Pro|Mini|Light|{2..9}00] - {price}
    """),
    "digest_subject": lines("""
        [Your|The] [daily|weekly|morning|evening] [briefing|digest|letter|read|summary]: {topic}[ and {topic}|]
        {^topic}, {topic} [and|&] {topic}
        [Issue|No.] {2..600}: [what we know about|the truth about|a history of] {topic}
    """),
    "digest": lines("""
        [A new study|The ministry|Our reporter|A museum in {town}|An engineer] [looks at|explains|warns about|counts] {topic}.
        [Why|How] {topic} [changed|matter|return|cost more than ever] - [and what comes next|{3..14} minutes to read|a long read].
        The council in {town} [voted|argued|decided] on {topic} {when}, by {12..40} to {2..11}.
        [Podcast|Interview|Video]: {any} on {topic}, {topic} and [money|luck|growing old|the weather].
        [In numbers|By the numbers]: {3..97} % of [households|pupils|drivers] [know|fear|enjoy] {topic}.
        [Readers write|Letters]: '{^topic} [was never like this|is not what it was|deserves better]'.
        [Markets|Prices]: [wheat|coffee|copper|shares in {town} Rail] {1..9}.{0..9} % [up|down] on {weekday}.
        [The crossword|Today's puzzle|The recipe]: {food}, [with a twist|easy|for {2..8}].
    """),
    "receipt_subject": lines("""
        [Your|] [order|receipt|invoice|booking|ticket] [{#7}|no. {#6}|{*8}][ from {company}| is confirmed||- thank you]
        [Thank you for your order|Order confirmation|Payment received|Your receipt|E-ticket][ {#6}|: {price}|]
        [Dispatched|On its way|Ready to collect|Delivered]: [order {#6}|your parcel|{gadget}]
        [Invoice|Statement] for {month}
    """),
    "receipt": lines("""
        [Thank you for|We have received|This confirms] your [order|payment|booking][ {#7}| of {price}|].
        [Your order|Your parcel|{^gadget}] [was sent|leaves us|will be delivered] {when}[ with {carrier}|].
        [Track|Follow|See] your [parcel|order|booking] [here|online]: {link}
        [Paid by|Payment method:] [card ending {#4}|direct debit|invoice|voucher][, {price}|].
        [Your invoice|The receipt|A copy] is attached [as PDF|for your records].
        [Something wrong|Questions]? [Reply to this message|Call 0800 555 01{#2}|See our help pages][ within {7..30} days|].
        [The seat|Your seat|Coach {1..9}, seat] {1..90}[{*1}|], [departure|doors] {clock}, {weekday} {1..28} {month}.
        [VAT|Tax] [included|{5..25} %]: {price}. [Customer|Client] number {#6}.
        [Delivery address|Collect from|Pick up at]: {owner}, {2..99} [Mill Lane|Station Road|High Street|Orchard Way], {town}.
        [You can return|Returns are free for] {goods} within {14..60} days.
    """),
    "parcel_notice": lines("""
        [Your parcel|Shipment {#9}|The parcel from {company}] [arrives|will be delivered|is expected] {when} between {7..11}:00 and {12..19}:00.
        [Not at home|Another day]? [Choose a neighbour|Change the delivery|Pick a parcel shop][ here|]: {link}
        We [left it with|handed it to] [your neighbour at number {2..98}|the parcel shop in {town}], [bring your ID|code {#4}].
        [We could not deliver|Nobody was at home], [we try again {when}|it waits for you until {weekday}].
    """),
    "notice_subject": lines("""
        [New|Unusual|Recent] [sign-in|login|device] [on your account|to {company}|from {town}|]
        [Your|{company}:] [one-time code|code is {#6}|login code]
        [Reset|Change|You changed] your password
        [Please confirm|Verify] your [e-mail address|new address|account]
        [Your {month} statement|Your bill|Your contract|Changes to our terms|Scheduled maintenance][ is ready| {when}|]
        [Security notice|Important information about your account|Action required: card expires in {month}]
    """),
    "notice": lines("""
        [Somebody|You, we hope,|A new device] signed in [to your account|with your password] from {town} {when} at {clock}.
        [If it was you|If this was you], [there is nothing to do|ignore this message]. If not, [change your password|call us]: {link}
        Your [code|one-time code|PIN] is {#6}. It is valid for {5..30} minutes. [Tell nobody|Never share it].
        [You asked|We were asked] to reset [your|the] password. [The link works once|Valid for {1..24} hours]: {link}
        [Your statement|Your bill|The document] for {month} is [ready|in your mailbox] - [sign in to|open the app to] see it.
        [On {weekday}|In the night to {weekday}] [our service|online access] is [not available|interrupted] from {1..5}:00 to {6..9}:00.
        [Our|We changed our] terms [change|of use] on {1..28} {month}; [you need not do anything|read them here: {link}].
        Your card ending {#4} expires in {month}, [the new one comes by post|please update it in your account].
        [We will never|{company} never] ask for your password [by e-mail|on the phone].
        A [payment|direct debit|transfer] of {price} [to {brand}|] [was booked|is planned] {when}.
        [Please confirm|Confirm] [your address|that {address} is yours][ within {2..14} days|]: {link}
    """),
    "list_subject": lines("""
        [{component}: {symptom}|{component} {symptom} [on|with|since] {version}|{ident}() {symptom}]
        [RFC|Proposal|Question|Poll|Summary]: [{component}|{ident} and {ident}|dropping {version}|a new {component}]
        [Release|ANN:|Announce:] {component} {version}
        [bug {#5}|issue #{#4}]: {component} {symptom}
        [How do I|Why does the] {component} [read|write|ignore] [the locale|long lines|empty files|time zones][?|]
        [Meeting|Minutes|Agenda] {when}
    """),
    "list_talk": lines("""
        [Since|After upgrading to|With] {version} the {component} {symptom} [here|for me|on {2..64}-core machines|under load].
        [I can|I cannot] reproduce [this|it] with {ident}() [on|and] {version}[, see below|].
        [The attached|This] patch [fixes|avoids|hides] the problem, [but|and] {ident}() [looks wrong|needs a test|is untouched].
        [Why not|Could we|We should|I would rather] [call|remove|rename|cache] {ident}() [before|in|after] {ident}()?
        Have you tried [setting {ident}=0|a clean build|bisecting|the latest {component}]?
        [My|The] [backtrace|log|config] says: {ident}+0x{1..9}{*2}/0x{#3}[ {component}|].
        [+1|-1|Agreed|Disagree]. The {component} is [no place|the right place] for {ident}.
        [Applied|Pushed|Merged|Queued][, thanks|, with the comment fixed| to the {version} branch].
        The [manual|documentation|man page] [says|does not say] what {ident} [does|returns] [when empty|on error|for {2..9} arguments].
        [Benchmarks|On my laptop]: {ident} {2..900} ms, {ident} {2..900} ms, [noise {1..9} %|median of {3..11}].
        [This breaks|It would break] {component} [users|builds] [on {version}|with old compilers|in {town}, I guess].
        [Does anybody|Who] still [use|need|maintain] the {component}[ from {version}|]?
        [I agree with {any}|As {any} said], [keep it simple|the {component} comes first|tests are missing].
        [Next|The] meeting [is|will be] {when} at {clock}, [{place}|online|notes on the wiki].
        [Tarball and notes|Archive|Source]: {link}
        [Changes|Highlights]: {component} rewritten, {3..40} bugs closed, {ident}() [gone|faster|documented].
    """),
    "cron": lines("""
        [{component}|backup|rotate|sync|mirror]: {3..900} files, {2..900} MB, {1..59} s
        [warning|notice|info]: /var/[log|lib|spool]/{ident} is {70..99}% full
        {ident}: [ok|done|skipped|no changes|{1..9} errors]
        [removed|kept|copied] {2..400} [files|snapshots|rows], [oldest|newest] {20..26}-{1..12}-{1..28}
        [{any}@{brand}: |]last login {weekday} {8..20}:{10..59}
        certificate for {ident} expires in {5..60} days
        rsync [exit 0|exit {11..35}], {2..900}.{#2} kB/s
    """),
    "forum": lines("""
        {any} [replied to|mentioned you in|commented on|liked] ['{^topic}'|your post on {topic}|issue #{#4}]
        [New|{2..19} new] [answers|members|topics|requests] in {topic}
        [{any} and {2..40} others|{any} from {town}] [follow you|sent you a message|want to join your group]
    """),
}
