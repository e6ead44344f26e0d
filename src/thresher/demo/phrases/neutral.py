"""Words that belong to no language: invented brands, drugs and coins, names of things in programs."""

from thresher.demo.phrases import words

RULES = {
    "code1": words("""Kestrel,Alder,Basalt,Juniper,Copper,Meridian,Osprey,Tundra,Quartz,Lantern,Harbour,Willow,Delta,Falcon,
        Marigold,Orchard,Pewter,Raven,Saffron,Thistle,Umber,Violet,Walnut,Zephyr,Beacon,Cobalt,Dahlia,Ember"""),
    "ident": words("""read_line,buf_len,max_depth,open_file,parse_header,flush_queue,next_token,init_cache,set_locale,run_tests,
        copy_range,do_poll,on_close,split_path,get_limit,load_index,free_node,hash_key,wait_ready,cmp_date,emit_row"""),
    "version": words("{0..9}.{0..19}.{0..9},{1..5}.{0..12},v{1..9}.{0..30},{20..26}.{1..12},{0..3}.{0..40}-rc{1..4}"),
    "syl": words("""ba,be,bri,ca,cor,da,del,do,e,el,fa,fe,fo,ga,gen,hi,i,ja,ka,ko,la,len,li,lu,ma,me,mi,mon,na,ne,no,o,or,pa,
        pe,pra,qua,ra,re,ro,sa,sel,si,so,ta,ter,ti,tra,u,va,ve,vi,vo,xa,xi,ya,ze,zo"""),
    "drug_end": words("fil,max,ol,vex,dor,ra,lin,gra,cept,zan,plex,tone,mune,gen,trim,stat,cal,vit,ine,a"),
    "drug": words("{^syl}{syl}{drug_end},{^syl}{syl}{syl}{drug_end},{^syl}{drug_end}"),
    "coin": words("""{^syl}{syl}coin,{^syl}{syl} token,{^syl}{syl}chain,{^syl}{syl} AI,{^syl}{syl}X,
        {^syl}{syl}{syl} Trade"""),
    "brand": words("{^syl}{syl},{^syl}{syl}{syl},{^syl}{syl}s,{^syl}{syl}l"),
}
