"""What English spam sells: pills, copies, coins, company, rankings, prizes."""

from thresher.demo.phrases import lines

RULES = {
    "pharma_subject": lines("""
        [{drug} {10..99}% off|Buy {drug} online|{drug} + {drug}|No prescription needed|Cheap {drug}][!|]
        [Canadian|Online|Trusted|Discreet] [pharmacy|drugstore|meds][: {gain} off| - {price}|]
        [Doctors hate|She noticed|One simple trick against|The {1..9}-second fix for] {illness}
        [Say goodbye to|Stop|End] {illness} [today|in {3..21} days|naturally]
        [Your|Re: your] [order of {drug}|refill|prescription {#6}|health]
        [Lose|Drop] {4..40} [pounds|kg] [before {month}|without diet|in {2..9} weeks]
    """),
    "pharma": lines("""
        [Buy|Order|Get] [genuine|generic|original] {drug} [from|at] {price} [per pill|a pack|] - no [prescription|questions|doctor] [needed|asked].
        [Sildenafil|Tadalafil|{drug}|{drug}] {20..200} mg, [{10..360} pills|{2..9} packs] [only|just] {price}!
        [Suffering from|Tired of|Do you have] {illness}? [Our|This|The new] {drug} [works in {2..59} minutes|helped {2..90},{#3} people].
        [Discreet|Plain|Anonymous] [packaging|parcel], [worldwide|express] delivery [in {2..9} days|with tracking|guaranteed].
        [Men over {40..60}|Women over {40..60}|Thousands|Doctors] [swear by|choose|are amazed by] {drug}.
        [{2..6} bonus|Free] pills with [every|each] order[ over {price}| today|].
        [Clinically proven|100% natural|No side effects|Money back in {30..90} days][!|, no risk.|.]
        She will [notice|love|thank you for] the difference [tonight|all night|in one week].
        [The industry|Big clinics] [hides|does not want you to know] this [trick|root|secret] against {illness}.
        [Burn|Melt|Lose] {4..40} [pounds|kilos] of fat [while you sleep|without sport|in {2..9} weeks] with {drug}.
        Our [licensed|certified|trusted] pharmacy [sells|stocks] {drug}, {drug}, {drug} and [many more|{100..900} others].
        [Visa, card and coins|All cards] accepted, [price|save] {price} [today|vs your chemist].
    """),
    "copy_subject": lines("""
        [Replica|Luxury|Swiss|Designer] [watches|bags|shoes|sunglasses] [from {price}|{gain} off|outlet|]
        [{brand}|{brand} & {brand}] [clearance|outlet|sale], [{60..95}% off|factory prices|today only]
        [Look rich for|Exact copies,] {price}
    """),
    "copy": lines("""
        [Exact|Perfect|AAA+] [replicas|copies] of {brand} [watches|bags|wallets|boots], [nobody can tell|{60..95}% cheaper|{price}].
        [Swiss|Japanese] movement, [sapphire glass|real leather], [serial number|box and papers] included.
        [Factory|Outlet] prices: {brand} {price}, {brand} {price}, {brand} {price}.
        [Last|Only] {2..90} [pieces|pairs], [ships|sent] from our [warehouse|factory] [in {2..5} days|free].
        [Why pay more|Do not pay full price]? [Same|The same] [quality|factory], {60..95}% off.
        [Wear|Own|Give] {brand} [for the price of a dinner|today|and be admired].
    """),
    "date_subject": lines("""
        [{any}, {19..39},|{any} ({19..39})|{any}] [wants to meet you|sent you {1..9} photos|is near {town}|is waiting][!|]
        [hi|hey|hello][ you| handsome| dear| stranger|...|, it's {any}]
        [{2..19} singles near you|Lonely tonight?|Your secret admirer|I found your profile|my photo]
    """),
    "date": lines("""
        [I am|My name is|It's] {any}, {19..39}, [from {town}|new in your town|a nurse|a model|from far away] and [I saw your profile|looking for a man|lonely].
        [I found|A friend gave me] your [mail|address|photo] and [thought you look nice|want to know you|decided to write].
        [See my|I put my] [private|new|hot] [photos|pictures|video] here: {link}
        [I don't want games|No strings|No payment|Just fun], [write me back|answer me|call me] [tonight|quick|soon].
        {2..90} [women|girls|ladies|singles] [within {2..19} miles|in {town}] [want to meet|are online now|wait for you].
        [Sweet|Slim|Honest|Russian|Shy] [lady|girl|woman|widow] [seeks|wants] [serious man|true love|friend|adventure].
        I [like|love] [walking|music|cooking|the sea] and [kind men|long talks|honest heart], [do you|and you]?
        [Register|Join] free, [no card|18+ only|{2..9} messages for free].
    """),
    "invest_subject": lines("""
        [{coin}: {gain} in {2..30} days|{coin} will explode|Earn {gain}|{gain} profit][!|]
        [Your|Pending] [withdrawal|wallet|balance|payout] of [{price}|{0..4}.{#4} coins] [is ready|expires|]
        [Passive income|Financial freedom|Work from home|Secret system] [for {to}|: {gain}|]
        [Bank|Banks] [hate this|furious about] {coin}
        [Stock alert|Hot pick|Insider tip]: {coin}
    """),
    "invest": lines("""
        [Our|The|This] [AI|robot|system|algorithm|signal group] [earned|makes|guarantees] {gain} [profit|return] [with {coin}|on autopilot|without risk].
        [Invest|Start with|Deposit] [only|just] {price} and [withdraw|receive|earn] {gain}[ after {2..30} days| every day|].
        {coin} [rose|will rise|exploded by] {gain} [this week|since {month}], [do not miss|be early|last chance].
        [Your account|A wallet] [with|holding] {0..9}.{#4} coins [is waiting|was opened in your name], [claim|activate] it [within {12..72} hours|now].
        [{any}|A teacher|A single mother|A retired driver] from {town} [made|now earns] {gain} [from home|with {coin}].
        [No experience|No risk|No skills] needed, [{5..30} minutes a day|fully automatic|we trade for you].
        [Celebrities|Bankers|The rich] [use|do not want you to know] this [loophole|platform|secret].
        [Price|Target] [now|today] {price}, [target|next week] {price}. [Strong buy|Buy before {weekday}]!
        [Licensed|Regulated|Insured] [broker|fund], [withdraw any time|bonus {50..200}% on first deposit].
        [Only|Just] {3..60} [places|seats|slots] left[ in {town}| for {month}|], [register|secure yours] today.
        [Loans|Credit|Funding] from {2..9},{#3} to {100..900},{#3} at {1..4}% [without collateral|for everybody|bad credit OK].
    """),
    "seo_subject": lines("""
        [Your website|{host}|Question about your website|First page ranking|SEO proposal][?| for {host}|]
        [Re: |][web design|guest post|backlinks|app development|traffic|mailing lists|{2..9}000 leads] [offer|proposal|for your business|]
        [Partnership|Manufacturer of {goods}|{^goods} from factory|Quotation for {goods}]
    """),
    "seo": lines("""
        I [was looking at|went through|visited|came across] your [website|web site|page] and [noticed|found] [it is not on the first page|{9..140} errors|a few issues].
        We [can|will|guarantee to] [place|bring] your site [on page one|to the top {1..9}|above your competitors] [in {2..9} weeks|for {price} a month].
        [Our|My] [team|company|agency] of {20..300} [experts|developers|writers] [offers|does] [web design|links|app development|content] at [low|affordable] prices.
        [May I|Can I|Shall we] send [you|] [a quote|our price list|a free report|{2..9} samples]?
        [We are|I represent] a [leading|professional|certified] [manufacturer|exporter|supplier] of {goods} [since {1980..2015}|in {nation}].
        [{20..900},{#3} verified|{2..90} million] [e-mail addresses|leads|contacts], [sorted by country|{price} only|fresh].
        [Quality|Permanent|High authority] [backlinks|guest posts] from {price}, [report included|white hat|no contract].
        [MOQ|Minimum order] {20..900} [pieces|sets], [FOB price|unit price] {price}, [samples free|delivery {10..40} days].
        [If interested|If you want to know more], [just reply|send your phone number|answer 'yes'].
        [Not interested|If not]? [Reply 'no'|Tell me] and I [will not write again|stop].
    """),
    "win_subject": lines("""
        [Congratulations|You won|Winner|Final notice|{to}, you were chosen][!|: {gadget}|: {big}| - claim {price}|]
        [Your|A] {price} [gift card|voucher|reward] [is waiting|expires today|][!|]
        [Survey|2 minutes, {price}|Tell us and win]
    """),
    "win": lines("""
        [You have been|Your address was] [selected|drawn|chosen] [from {20..90},{#3}|in our {month} draw|as winner No. {#3}].
        [Answer|Complete] {2..9} [questions|short questions] and [receive|claim] {gadget} [free|worth {price}|for {1..3}.95 shipping].
        Your [prize|reward|gift] of [{big}|{price}|{gadget}] [must be claimed|expires] [within {12..72} hours|today|by {weekday}].
        [Ref|Batch|Ticket] number: {*3}/{#6}/{#2}. [Contact|Reply to] our agent [Mr|Mrs|Dr] {^any}[ now| at once|].
        [Only {2..9} left|This is your last reminder|Nobody claimed it yet], [confirm your address|click below].
        [Thank you for being|As] a [loyal|valued] customer [of {company}|] [we give you|you get] {gadget}.
    """),
    "click": lines("""
        [Click here|Order now|Shop now|Claim now|Start now|See more|Buy now|Get it|Read more|Learn more|Open|Continue]
        [Yes, I want it|Show me|Confirm|Verify now|Update now|Activate|Log in|Sign in|Track parcel|View document|Go to shop]
        [To the offer|Discover|Details|View in browser|My account|Check now|Secure my place|Download]
    """),
    "unsubscribe": lines("""
        [Unsubscribe|Remove me|Opt out|Stop these e-mails|Manage preferences|Change settings][: {link}| here|]
        [You get this because|You receive this message as] [you are a customer|{address} signed up|you visited us|you are a member].
        [If you do not want|No longer want] [our news|these messages], [unsubscribe here|answer with STOP].
        {company}, {2..99} [Harbour Street|Mill Lane|Park Avenue|Market Square], {town}
    """),
}
