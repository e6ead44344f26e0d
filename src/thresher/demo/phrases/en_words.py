"""English words: what sentences are filled with. Long lists, so that no few words give a message away."""

from thresher.demo.phrases import lines, words

RULES = {
    "hi": lines("""
        [Hi|Hello|Hey|Dear|Morning|Good morning|Hiya|Hi there|Evening] {to}[,|,|!| -|]
        {to}[,|:| -|...]
        [Hi|Hello|Hey][,|!| again,| all,|]
        [Hello|Hi] {to}, [hope you are well.|how are you?|long time no hear!|quick one.|sorry for the late answer.]
    """),
    "bye": lines("""
        [Love|Lots of love|Hugs|Kisses|x|Much love|Take care|See you soon|Until then|Bye for now][,|!|]
        [Cheers|Thanks|Many thanks|Best|All the best|Thanks a lot|Ta|Speak soon|Bests|Thank you][,|!|.|]
        [Best wishes|Kind regards|Regards|Warm regards|With best wishes][,|]
    """),
    "dear": lines("""
        Dear [Sir or Madam|customer|member|friend|user|account holder|valued customer|reader|{to}|{owner}|{address}][,|:|!|]
        [Hello|Hi|Greetings|Good day|Good morning] {to}[,|!|]
        [Hello|Attention|Good day|Greetings|Hi][,|!| there,| {address},]
    """),
    "regards": lines("""
        [Kind regards|Best regards|Sincerely|Yours sincerely|Yours faithfully|With kind regards|Regards|Respectfully][,|]
        [Thank you|Thanks in advance|Many thanks|We thank you for your trust|Looking forward to your answer][.|,|!]
        [Your|The] {company} [team|Team|customer service|service team|support]
    """),
    "wrote": lines("""
        On {weekday}, {1..28} {month} {20..26}, {quoted} wrote:
        {quoted} wrote:
        {quoted} [writes|said|schrieb]:
        On {month} {1..28}, {quoted} wrote:
    """),
    "weekday": words("Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday"),
    "month": words("January,February,March,April,May,June,July,August,September,October,November,December"),
    "clock": words("""{7..11} am,{1..9} pm,{8..20}:00,{8..20}:30,half past {2..9},noon,quarter to {4..9},{9..19}:15,
        around {2..8}"""),
    "when": lines("""
        [on|next|this|by|from|before] {weekday}
        [tomorrow|tonight|today|at the weekend|next week|in a fortnight|this afternoon|after lunch|in {month}|at Easter]
        on the {4..20}th
        [the week after next|end of {month}|early {month}|this evening at {clock}|{weekday} at {clock}]
    """),
    "price": words("""£{2..89}.{10..99},{4..99} euros,${5..99}.99,€{3..499}.{10..99},${100..899},£{5..400},
        {12..98}.{#2} EUR"""),
    "big": lines("""
        [USD|EUR|GBP|US$|$|€|£] {1..48}[.{1..9}|] [million|Million|MILLION]
        [$|€|£|USD ]{2..98},{#3},{#3}[.00|]
        [$|€|£]{150..950},{#3}[.00|]
        {2..60} million [dollars|pounds|euros]
    """),
    "gain": words("""{3..98}%,{110..900}%,{2..9}x,{2..40} times,${300..9500} a [day|week],£{900..8000} per month,
        €{200..990} daily"""),
    "food": words("""soup,a chicken pie,lentil stew,pancakes,a roast,lasagne,fish pie,salad,an apple cake,pizza,curry,dumplings,
        a quiche,risotto,goulash,the plum cake,tomato salad,roast potatoes,a trifle,mussels,goat cheese tart,bread,sourdough,
        leek soup,cheese fondue,lemon cake,paella,beans on toast,waffles,gingerbread,jam,pickled cucumbers,a nut loaf"""),
    "thing": words("""the ladder,the blue suitcase,the drill,the spare keys,the tent,your umbrella,the pressure cooker,
        the old camera,the garden hose,the sewing machine,the bike lock,the bread tin,the sledge,the board game,
        the big saucepan,your scarf,the chess set,the sleeping bag,the violin,the lamp,the coffee grinder,the deck chairs,
        the wheelbarrow,the telescope,the cot,the car seat,the piano stool,the bookshelf,the projector,the roof box,
        the watering can,the record player,the ice skates,the freezer box,the toolbox,the jam jars,the picnic blanket"""),
    "gadget": words("""a [desk|reading|floor] lamp,a kettle,a backpack,a rain jacket,running shoes,a fountain pen,
        a garden chair,a coffee mill,wool socks,a bread knife,a bike light,a cast iron pan,a linen shirt,a travel mug,
        a bird feeder,a yoga mat,a pair of headphones,a keyboard,a router,a memory card,a phone case,a cotton duvet,
        a hand mixer,a screwdriver set,a pillow,a winter coat,a wall clock,a bamboo shelf,a table tennis bat,
        an e-reader,a sun hat,a tea towel set,a watering can,a baby monitor,a dog lead,a puzzle,a raincoat"""),
    "goods": words("""lamps,kettles,backpacks,jackets,shoes,pens,garden chairs,coffee,socks,knives,bike lights,pans,shirts,mugs,
        yoga mats,headphones,keyboards,routers,memory cards,cases,bedding,mixers,tools,pillows,coats,clocks,shelves,
        rackets,e-readers,hats,towels,toys,dog food,puzzles,seeds,books,notebooks,wine,cheese boxes,tea,candles,
        sofas,carpets,frames,cameras,tripods,printers,toner,batteries,chargers,sandals,dresses,jeans,cosmetics"""),
    "place": words("""the station,the library,our place,the lake,the cinema,Nana's,the new cafe,the harbour,the allotment,
        the town hall,the sports hall,the market,the museum,the church hall,the old mill,the campsite,the pool,
        the garden centre,the ferry,the airport,the school,the bakery,the climbing wall,the park gate,the theatre"""),
    "town": words("""Ashby Ford,Merrow,Little Haddon,Kestrel Bay,Norham,Port Ellery,Wexcombe,Tarnside,Great Olney,Marbeck,
        Sallowfield,Brindle,Upper Tove,Stonehythe,Larkhill,Dunmere,Easterley,Hollin Green,Penrowan,Quarley"""),
    "kin": words("""Mum,Dad,Grandma,Grandad,Auntie {any},Uncle {any},{any},{any},my sister,your cousin,the twins,the children,
        {any} and {any},the baby,your brother,Nana,the neighbours,the in-laws"""),
    "any": words("""Nora,Tilda,Jonah,Ruben,Ivy,Edith,Marcus,Leonie,Felix,Greta,Hamish,Orla,Piotr,Yusuf,Amara,Elif,Joao,
        Keiko,Soren,Bettina,Carla,Declan,Esme,Farid,Gwen,Hugo,Ines,Jasper,Kamila,Lars,Mei,Nils,Olive,Pablo,Rhea,Silvia,
        Tomas,Ursula,Viktor,Wanda,Xenia,Yara,Zeno,Anouk,Basil,Cleo,Dorian,Erna,Freya,Gideon"""),
    "animal": words("""the dog,the cat,our tortoise,the hens,the rabbit,the hamster,the bees,the pony,
        next door's goat,a hedgehog"""),
    "ill": words("""a cold,a cough,the flu,a bad back,a sprained ankle,toothache,hay fever,a migraine,a sore throat,
        chickenpox"""),
    "weather": words("rain,snow,sunshine,fog,a thunderstorm,hail,wind,frost,a heatwave,drizzle"),
    "hobby": words("""choir practice,the pottery class,chess club,the book group,band rehearsal,the running group,swimming,
        judo,the allotment meeting,dance class,the quiz,football training,the drawing course,badminton,the film night,
        orchestra,the knitting circle,climbing,the wine tasting,scouts,ballet,table tennis"""),
    "mood": words("""lovely,great,fine,tiring,wonderful,a bit much,quiet,funny,too long,chaotic,really nice,cold,
        strange,a success,better than expected,not so good,hectic,brilliant,dull,relaxing"""),
    "project": words("""{code1},the {code1} project,the website,the audit,the tender,the {town} site,the migration,the pilot,
        the annual report,phase {2..5},the new intranet,the user study,the price list,the catalogue,the budget,the roadmap,
        the {code1} release,the workshop,the training,the survey,the warehouse move,the grant application,the brochure"""),
    "document": words("""the minutes,the slides,the draft,the spreadsheet,the contract,the offer,the specification,the report,
        the schedule,the figures,the plan,the invoice,the quote,the test results,the floor plan,the proposal,the agenda,
        the timesheet,the photos,the mock-ups,the review,the checklist,the manual,the order form,the purchase order"""),
    "dept": words("""finance,sales,the legal team,purchasing,the lab,support,marketing,the board,HR,production,
        logistics,IT,the works council"""),
    "title": words("""editor,project manager,accountant,consultant,professor,teacher,engineer,architect,assistant,nurse,
        caretaker,translator,secretary,head of {dept},designer,developer,librarian,buyer,solicitor,surveyor"""),
    "component": words("""parser,scheduler,cache,tokenizer,build,installer,driver,test suite,lexer,socket layer,web view,
        index,allocator,garbage collector,config loader,queue,logger,packet filter,renderer,shell,linker,daemon,
        date code,locale tables,backup script,journal,bootloader,mixer,font code,mail reader,import tool"""),
    "symptom": words("""crashes,hangs,leaks memory,returns garbage,fails,is slow,loses data,deadlocks,prints nothing,
        loops forever,raises an error,eats the CPU,ignores the option,does not start,breaks the tests,truncates the file"""),
    "topic": words("""soil,bread,tides,bats,old maps,sleep,batteries,bridges,handwriting,beavers,rents,rivers,noise,moss,chess,
        railways,spices,glaciers,libraries,clocks,kites,mushrooms,satellites,wool,queues,volcanoes,memory,insulation,
        heat pumps,folk songs,elections,the harvest,school meals,bicycle lanes,language learning,fermentation"""),
    "nation": words("""Ostravia,Benguru,the United Kingdom,Ghana,Switzerland,Malaysia,Canada,Burkina Faso,Togo,Spain,Turkey,
        Hong Kong,South Africa,Ivory Coast,Kuwait,the Netherlands,Singapore,Angola,Morvenia"""),
    "illness": words("""joint pain,hair loss,high blood pressure,poor sleep,weight,low energy,tinnitus,poor memory,
        blood sugar,back pain"""),
}
