"""What people write in English: family, friends, colleagues, strangers with a reason."""

from thresher.demo.phrases import lines

RULES = {
    "family_subject": lines("""
        [Sunday|{^weekday}|the weekend|Easter|Christmas|holiday|birthday|lunch|dinner][?|| plans| at {place}]
        {^kin}['s birthday| is better| again| says hello|]
        {^thing}
        [photos|pictures] [from|of] {place}
        [Re: |]{food}
        [quick question|news|hello|call me|good news|update|thanks!|no subject|hi|{1..9}/{1..12}|recipe|about {when}]
        {^hobby} {when}
        {^animal}
        [Visit|Train|Arrival|Trip] {when}
    """),
    "family": lines("""
        {^kin} [is coming|will be here|arrives|is visiting] {when}, [so|and] [could you bring|do you still have|please find] {thing}?
        [Yesterday|On {weekday}|Last night] we [made|had|tried|burnt] {food}[, it was {mood}| and it was {mood}| with {kin}].
        {^kin} has {ill} [again|since {weekday}|but it is getting better|and stays in bed].
        Did you [remember|manage] to [ring|call|write to|thank] {kin}?
        [We are|I am] going to {place} {when}[ with {kin}|], [do you want to come?|come along!|are you free?|if the {weather} stops.]
        {^animal} [has eaten|found|knocked over|is asleep on|hid behind] {thing}, [typical|you can imagine|poor thing|photo follows].
        The [doctor|dentist|vet|plumber|electrician|landlord] [says|thinks|wrote that] [all is well|we must wait|it takes {2..6} weeks].
        I have put {thing} in the [cellar|attic|garage|hall|shed|car] for you.
        [Could|Can|Would] you pick [me|us|up {kin}] {when} from {place}[, about {clock}|, please]?
        It has been [nothing but|all] {weather} here, [how is it at yours?|the garden likes it.|we stayed in.|{kin} hated it.]
        Thank you [so much|again|] for [{food}|the parcel|the card|the flowers|having us|the lift|{thing}]!
        [Happy birthday|Congratulations|Merry Christmas|Happy Easter|All the best] from [all of us|{kin}|the four of us|{animal}]!
        [School|Nursery|Work|The course] is {mood} and {kin} [likes|hates|sleeps through|talks about] it.
        {^kin} [scored|won|came {2..9}th|played well] at {hobby}, [we are very proud|you should have seen it].
        [I|We] [need|will need|bought] a new [oven|sofa|boiler|bike|fridge|phone|washing machine], the old one [died|is {2..19} years old].
        Have you [seen|read|heard] [about|] [the news about|that book on|the programme on] {topic}? {^kin} loved it.
        [The recipe|My recipe] for {food}: {2..6} eggs, {100..900} g flour, {2..9} spoons of [sugar|butter|oil], {20..55} minutes in the oven.
        How much do we owe you for [the tickets|the shopping|{thing}|the petrol]? I think it was {price}.
        I will transfer the {price} [tonight|when I get home|{when}], remind me if I forget.
        [The train|My flight|The coach|The ferry] [gets in|leaves] at {clock} {when}, [platform {1..14}|don't wait up|see you there].
        {^kin} wants [to know|] whether you [still eat|can cook|like] {food}.
        Don't worry about {thing}, we [found|mended|borrowed|sold] it [in the end|{when}|at {place}].
        [Grandad|Dad|Nana|{any}] is [learning to use|fighting with] the new [computer|tablet|phone], so [be patient|expect odd messages].
        Have a look at this[, it made me laugh|, so funny|]: {link}
        We booked the [cottage|hotel|campsite|hut] in {town} for {2..14} nights, [there is room for you|bring boots|{kin} knows the owner].
        Shall we [give|buy|get] {kin} {gadget} together? It is {price} [in the sale|new|at {place}].
        The [insurance|bank|council|tax office] [wrote again|wants another form|has finally paid], [what a relief|don't ask|I'll scan it].
        [Please|Could you] send me [your new address|the photos|{any}'s number|the code for the gate][ again|], I lost it.
        [Nothing special here|All well here|Not much news|We are all fine], just [wanted to say hello|thinking of you|bored at work].
        PS: {kin} [says hello|found your {1..9} pounds|still has {thing}|sends a kiss]!
    """),
    "work_subject": lines("""
        {^project}[: {document}| - next steps| - status| {when}||: question|: decision needed]
        [Meeting|Call|Lunch|Handover|Interview|Review] {when}
        {^document}[ for {project}| to sign| - comments| v{2..9}|]
        [Question about|Feedback on|Changes to|Numbers for] {project}
        [Out of office|Holiday cover|Parking|Kitchen|Printer|Coffee machine|Fire drill|Office keys|Room {100..420}]
        [URGENT: |][invoice {#5}|payment run|travel expenses|supplier {code1}]
        [Today's|Monday's|{^weekday}'s] [deadline|agenda|release|stand-up]
    """),
    "work": lines("""
        [Attached|Please find attached|Here] [is|you will find] {document} [for|about] {project}[, comments welcome| as discussed|].
        [Could|Can] [you|somebody|{any}] [check|review|sign|update] {document} [by|before] {when}[, please|]?
        [The customer|{^dept}|{any}|The supplier] [asked|wants|called] [for|about] {document}[ again| for {project}|].
        [I moved|We moved|{any} moved] the meeting to {clock} {when}, room {100..420}.
        [I think|My view:|As I see it,] {project} [is late|is on track|needs {2..5} more people|can wait|is nearly done].
        The [numbers|figures|estimates] in [table {1..12}|chapter {1..9}|column {1..9}] [do not add up|look wrong to me|need a source].
        {^dept} [approved|rejected|has not seen|will pay] [the budget|the offer|the order|invoice {#5}][ of {price}| at last|].
        [We should|Let us|I suggest we] [talk|meet|decide] {when}, [{clock} suits me|any time after {clock}|before {any} leaves].
        [I am|I will be] [on holiday|travelling|at the {town} office|in training] {when}, {any} [covers for me|has my notes].
        [Tested|I tested] {project} [yesterday|this morning|on the old machine]: the {component} {symptom} [in {2..9} of {10..40} cases|twice].
        Please [order|book|cancel] [{2..40} chairs|the room|the train tickets|the catering|{gadget}] for {when}.
        [Thanks|Thank you] for {document}, [much better now|I have two remarks below|I forwarded it to {dept}].
        [Who|Does anyone know who] has [the keys to room {100..420}|the projector|the password for the {component}|{document}]?
        The [deadline|delivery|go-live|kick-off] is {when}, [not earlier|no excuses|as agreed with {dept}].
        [The payment|The transfer|Invoice {#5}] [went out|was booked|is still open] [{when}|since {weekday}], [{price}|see the list].
        Your [travel expenses|timesheet|leave request] for {month} [is approved|needs a receipt|came back from {dept}].
        [Small|Short] update: {2..40} tickets closed, {1..12} open, [nothing urgent|one blocker|the {component} again].
        I have [rewritten|shortened|translated] [section|page] {2..40} of {document}, [tell me what you think|the rest is yours].
        The [lift|heating|printer|coffee machine|door] on floor {1..6} [is broken|gets repaired|works again] {when}.
        [There is cake|We collect for {any}'s present|{any} is leaving us|A new colleague starts] {when}[ in the kitchen|].
        [Our|The] [landlord|auditor|customer|partner] in {town} [expects|needs|returned] {document} [signed|in two copies|as PDF].
        [Version|Release] {version} of the {component} [is out|slips to {when}|fixes it], [see the notes|{any} has the details].
        [Costs|Hours|Sales] for {month} are {2..30} % [above|below] plan, mostly [because of {project}|travel|licences].
        [No objection|Fine with me|I disagree|Let me think|Go ahead], but [ask {dept} first|keep {any} in copy|do it {when}].
        [See|Details:|The draft is here:|Board:] {link}
        [Can we|We could] offer them {3..15} % [discount|off], they [ordered|buy] {20..900} {goods} [a year|last {month}]?
        {^any} and I [visited|called] [the site in {town}|the supplier|the printers] {when}, it was {mood}.
        [Action items|To do]: {any} {document}, {any} [the room|the numbers|the test], me [the rest|{project}].
    """),
    "reply": lines("""
        [Yes|No|OK|Sure|Perfect|Fine|Great|Agreed|Of course|Maybe|Sounds good][, thanks|, {when} works|, will do|, see below|.|!]
        [I'll|I will|We'll] [do it|send it|have a look|bring {thing}|ask {any}|be there|let you know] {when}.
        [Sorry|Apologies], [I missed this|that was my mistake|I was away|{when} is bad|my phone died].
        [What about|How about|Could we make it|Would you prefer] {when}[ at {clock}| instead|]?
        [Thanks|Thank you|Cheers|Brilliant][ for this| for the quick answer| a lot|, got it|, that helps][.|!]
        [I am not sure|Hm|Not quite|Wait], [isn't that {when}?|{any} said something else.|the number should be {3..900}.]
        [Done|Sent|Fixed|Ordered|Booked|Paid][, {price}|, see attached|.|, nothing left to do.]
        [See|Look at] {link}[ for the rest|]
        Can you [call|ring] me [at|around|after] {clock}? [My number is|It is] +44 20 7946 0{#3}.
        [One|A] thing [is still|remains] open: {document}[. Who has it?|, as ever.|.]
        [Me too|Same here|I'd rather not|Count me in|Not this time|Depends on {weather}].
    """),
    "note": lines("""
        [On my way|Running late|At {place}|Train is late|Here now][, {5..50} min|, sorry|.|!]
        {link}
        [look|read this|for you|funny|what do you think?|this one?|remember?|finally][:|] {link}
        [Call me|Ring me|Please call|Can you talk] [when you can|tonight|after {clock}|now][?|.|]
        [Got it|Arrived|Home safe|Thanks|Perfect][, thanks| xx|!|.|]
        [Milk, bread, {2..9} lemons|Don't forget {thing}|Key is under the pot|Door code {#4}][.|!| pls|]
        [Are you|you] [still|] [up|there|at work|coming|available][?|??]
        [see attached|attached|as promised|here it is|the file you asked for][.|]
    """),
    "stranger_subject": lines("""
        [Your|The] [advert|flat|room|bike|piano|sofa|car|offer|question|application|enquiry|article|letter|appointment]
        [Application as|Job:|Vacancy:] {title}
        [Appointment|Parents' evening|Class {1..9}{*1}|School trip|Meter reading|Chimney sweep|Street party] {when}
        [Request|Enquiry|Quotation|Order] [{#5}|about {goods}|]
        [Found|Lost]: {thing}
        [Invitation|Interview|Talk|Reading|Conference] [in {town}|{when}|on {topic}]
        [Your neighbour|From number {2..98}|We met {when}|{any} gave me your address]
    """),
    "stranger": lines("""
        [I saw|I am writing about|Is it true that you sell|I am interested in] [your advert for|] {thing}[, is it still available?|.]
        [We|I] got your [address|name] from {any}, who [works in {town}|sings with you|knows you from {hobby}].
        [I would like|I wish] to [apply|ask|enquire] [for the post of {title}|whether you need a {title}|about {project}].
        My [CV|portfolio|references] [is|are] attached, and I can start {when}.
        [Your|Our] [appointment|inspection|interview] is {when} at {clock}, [please bring your card|ring the bell|allow {20..90} minutes].
        [Please|Kindly] [confirm|answer|tell us] by {when} [whether you can come|how many you are|if another day is better].
        The [class|school|nursery] goes to {place} {when}; [children need|please pack] [boots|a lunch|swimming things|{price}].
        [We can offer|Our quotation:] {2..40} {goods} at {price} [each|in all], [delivery|fitting] {when}.
        Could you [let me know|tell me] [the price|the size|the exact address|your opening hours|who is responsible]?
        [I teach|I study|I write about] {topic} in {town} and [read your article|liked your talk|have a question].
        [The heating|The meter|The chimney|The lift] in [your house|number {2..98}] will be [read|checked|repaired] {when} between {7..11} and {12..17}.
        [We found|Someone handed in] {thing} with your [name|address] on it, [collect it|you can fetch it] at {place}.
        [The committee|Our society|The parish|The club] [meets|invites you] {when} at {clock}, {place}.
        [Would you|Could you] [give a talk|write {2..6} pages|review a paper] on {topic}? [We cover travel|There is a small fee].
        I am {any}'s [mother|father|teacher|colleague|landlady] and [we have not met|you may remember me].
        [Your|The] [deposit|fee|share] of {price} [will be paid back|is due {when}|has arrived, thank you].
        [You can reach me|My number is|Tel.] 01632 960{#3}[, evenings|].
    """),
}
