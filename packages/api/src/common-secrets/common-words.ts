// The most common leaked passwords that the policy allows (letters and digits), in lower case. Words also match with
// digits around them and with digits in place of letters. Anything that a rule covers (sequences, repeats, keyboard
// walks, dates) is listed only if it is famous.
/** Common words and passwords; case does not matter. */
export const COMMON_WORDS = `
123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123 football monkey
letmein 696969 shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael 654321 superman 1qaz2wsx 7777777
121212 000000 qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew
tigger sunshine iloveyou 2000 charlie robert thomas hockey ranger daniel starwars klaster 112233 george computer
michelle jessica pepper 1111 zxcvbn 555555 11111111 131313 freedom 777777 pass maggie 159753 aaaaaa ginger princess
joshua cheese amanda summer love ashley 6969 nicole chelsea matthew access yankees 987654321 dallas austin thunder
taylor matrix minecraft mobilemail mom monitor monitoring montana moon moscow william corvette hello martin heather
secret merlin diamond 1234qwer gfhjkm hammer silver 222222 88888888 anthony justin test bailey q1w2e3r4t5 patrick
internet scooter orange 11111 golfer cookie richard samantha bigdog guitar jackson whatever mickey chicken sparky
snoopy maverick phoenix camaro peanut morgan welcome falcon cowboy ferrari samsung andrea smokey steelers joseph
mercedes dakota arsenal eagles melissa boomer booboo spider nascar monster tigers yellow 123123123 gateway marina
diablo bulldog qwer1234 compaq purple banana junior hannah 123654 porsche lakers iceman money cowboys 987654 london
tennis 999999 ncc1701 coffee scooby 0000 miller boston q1w2e3r4 brandon yamaha chester mother forever johnny edward
333333 oliver redsox player nikita knight fender barney midnight please brandy chicago badboy iwantu slayer rangers
charles angel flower rabbit wizard jasper enter rachel chris steven winner adidas victoria natasha 1q2w3e4r jasmine
winter prince marine ghbdtn fishing casper raiders 888888 marlboro gandalf asdfasdf crystal 87654321 12344321 golden
8675309 lauren angela qazwsxedc 101010 spanky alex digital thx1138 albert 1q2w3e donald friend simple smile captain
daisy donkey happy success explorer nothing hardcore veronica parker pokemon passw0rd password1 password12 password123
pass1234 welcome1 welcome123 letmein1 admin123 admin1234 administrator root toor guest guest123 user user123 test123
test1234 testing testtest temp temp123 temppass default changeme changeit qwerty1 qwerty12 qwerty123 qwerty1234
qwertyui qwert qwerty123456 asdf asdf1234 asdfg asdfghjk asdfghjkl asdfghj zxcv zxcvb zxcvbnm1 zaq12wsx zaq1zaq1
1qazxsw2 1qaz1qaz qazxsw qweasd qweasdzxc qweqwe qwe123 asd123 zxc123 asdasd zxczxc aaa111 abcabc abcd abcdef abcdefg
abcdefgh abcd1234 abc12345 abc123456 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 aa123456 q123456 q1w2e3
1q2w3e4r5t 1a2b3c 123abc 123456a 123456q 123456789a 12345a 12345q 12qwaszx 1234abcd 123qweasd 123asd 123zxc 147258369
147852369 159357 123456654321 102030 12341234 1212 123454321 159159 789456123 741852963 963852741 456789 456123 789456
321321 aaaaaaa aaaaaaaa 1111111 111111111 1111111111 00000 00000000 0000000 00000007 007007 888888888 99999999
66666666 5201314 520520 1314520 woaini woaini520 woaini1314 iloveyou1 iloveyou2 iloveu iloveme ilovegod iloveher
ilovehim loveyou loveme lovelove lovely love123 loveu lover lovers loverboy mylove mylife mybaby myheart myspace
mypass mypassword mysecret youandme together forever1 account action active adam address admin adventure africa
airborne airplane alabama alaska alien alpha always amateur amazing amazon america american amigo anarchy ancient
android animal apache apollo apple april aquarius archer arctic aries arizona army arrow artist asian asshole atlanta
atlantis attack august aurora australia avatar avenger avengers baby babyboy babygirl babylon babylove babyblue backup
badass badgirl bagels baller balloon bamboo bandit bang bangkok bank banker barbie baseball1 basket basketball bass
bastard battle beach beagle bear bears beast beatles beautiful beauty beaver beckham believe berlin bestfriend better
bigbird bigboy bigdaddy bigman bigred biker billion binance bird birdie birthday biscuit bishop bitch bitches bitcoin
black blackberry blackbird blackcat blackhawk blackie blackjack blade blazer blessed blessing blink182 blonde blondie
blood bloody blossom blowme blue bluebird bluebell blueeyes bluemoon bluesky bobby body boeing bollocks bond bond007
bonnie boobs books bookworm booger booty boss bowling boxer boxing boyfriend boys bradley brave bravo brazil bread
breeze bright brilliant british broken broncos brooklyn brother brothers brown brownie browns bubba bubble bubbles
buddha buddy budlight buffalo buffy builder bull bulldogs bullet bulls bullshit bunny burger burning business butter
butterfly button buttons bye cactus cadillac caesar calendar california camera camera1 campbell canada cancer candy
canon canada1 captain1 caramel cardinal cards cartman cartoon cash casino castle catdog catfish catwoman celebrity
celtic celtics center central century chacha challenge champion champions champs chance change changes chaos charger
charm chaser cheater checkers cheer cherokee cherry chevrolet chevy chewy child children china chinese chipper chips
chocolate choice chopper christ christian christmas chronic chubby church cigar cinderella cinema circle citizen city
claire classic classroom clover cloud clown club coach cobra coca cocacola cocaine cock coconut code coins cold
coldplay college colorado colors comedy comet comfort command commander company concrete connect control cooking cool
coolcat cooldude coolgirl coolguy coolman copper corona cosmos cosworth cottage cougar cougars country cowgirl coyote
cracker crazy crazy1 cream creative creator credit cricket crimson cross crow cruise crypto cuddles cupcake curious
current custom cutie cutiepie cyber cyborg cyclone daddy daddy1 daemon daisy1 dance dancer dancing danger dangerous
darkness darkside darling data database dave dawn death december defender delete delicious delight delta demo demon
denver deposit desert design designer desire destiny detroit devil devils diamonds dick digger dinosaur dinamo direct
director dirty disco discover disney doctor dogcat doggie doggy dogs dollar dollars dolphin dolphins domain domino
donut doom door double downtown dracula dragonball dragonfly dragons dream dreamer dreams driver drummer drums duck
duke duncan dynamite dynasty eagle earth easter easy eclipse eight einstein elephant eleven elite email emerald
emperor empire energy engine engineer england english enigma enterprise entry escape eternal eternity ethereum europe
everton evil evolution excalibur excellent exchange exotic expert express extreme eyes fairy faith faithful family
fantasy farmer fashion father fatboy favorite fear feather february felix female fickle fifteen fight fighter film
final finance finger fire fireball firebird firefly firefox fireman first fish fisher fishes five flame flamingo flash
flipper florida flowers flyers flying focus food fool footballer ford forest forex forget formula fortune foster four
fourteen foxtrot france freak fred freddy free freedom1 freeman french fresh friday friends friendship frog froggy
frost fruit fuck fucker fuckme fuckoff fuckyou fuckyou1 fuckyou2 fuckit funky funny funtime future galaxy gamble
gambler game gameover gamer games gangsta gangster garden garfield garlic gemini general genesis genius german germany
getmoney ghost giant giants giggles giraffe girl girlfriend girls glitter global globe glory goat goblin goddess
godfather godzilla goforit gold goldberg goldfish golf good goodboy goodday goodgirl goodluck goodmorning goodtime
google gorgeous gotohell grace graduate grandma grandpa granite grapes grass grateful gravity great green greenday
greens grey griffin ground group guardian guest1 guinness gunner gunners guns gymnast hacker hacked hailey hamburger
hamster handball handsome happiness happy1 happyday happyness hard hardrock hardware harmony harvest hate hawaii hawk
hawkeye head health heart hearts heaven heavenly heavy hell helloall hello1 hello123 hellohello hellokitty helpme help
hendrix hercules hero heroes hidden high highlander highland history hitman holiday holidays hollister holly hollywood
holy home homer homework honda honda1 honest honey honeybee hongkong hooters hope horizon hornet horny horse horses
hotdog hotgirl hotmail hotrod hotstuff house houston huawei human hummer hundred hungry hurricane husband hustler
hyundai ibanez icecream ignite iguana illusion image imagine immortal impact impala imperial important incredible
india indian indiana indigo infinity inside insane instagram instant intel inter iphone ireland irish iron ironman
island italia italian italy ivory jackass jackpot jaguar jamaica january japan japanese jayjay jazz jedi jellybean
jelly jersey jester jesus jesus1 jesuschrist jewels joker jokers journey joyful joyjoy judge juice july jumper june
jungle jupiter justice juventus kangaroo karate karma katana keeper kentucky keyboard kicker kiki killer1 killers
killjoy kindness king kingdom kingkong kings kissme kisses kitten kittens kitty kittycat knicks knife knights koala
kobe24 korea lacoste ladies lady ladybug lambert lamborghini lancer laptop laser lasvegas laugh lavender lawyer leader
legend legends legion lemon leopard leopards lesbian letter lexus liberty library license life lifetime light
lighthouse lightning lilly lincoln line lineage lion lioness lions little liverpool living lizard lobster logitech lol
lollipop lollol lonely lonewolf longhorn lord loser lost lottery louisiana lovebird lovebug lovegod lovehate lovehurts
lovelife loveless lovemom lucky lucky1 lucky7 lucky13 lucifer luckydog machine macintosh madison madonna madman madrid
mafia magazine magic magical magnet magnum malibu mallard mamama mambo mango manson maple marathon march marijuana
market married mars marvel master1 masters mayday mazda medical member memory memphis menace mental mercury mermaid
metal metallic metallica mexican mexico miami microlab microsoft midnite mighty military milk milkshake million
millions million1 millionaire mine minion minnie miracle mirror mission missyou mistress mitsubishi mobile model
modern mohamed molly mommy mommy1 momdad monday monkey1 monkeys monster1 moneymaker moonlight moonshine moose morning
mortal mortgage motherfucker motocross motor motorola mountain mouse movie movies muffin murder muscle music musica
musical musician mustang1 mystery nasty nathalie national nature naughty naruto navy nebula nemesis neptune network
never nevermind newcastle newlife newpass newport newton newyork newyork1 niceguy nickel nigger nigga night nightmare
nightowl nights nike nine ninja ninjas nintendo nirvana nissan nobody noname nopass nopassword normal north northern
notebook november number number1 nurse oakland obelix obsidian october ocean oceans octopus office ohmygod oldman
olympic onelove online open opera operator optimist option options oracle orchid order original orion orlando outlaw
oxford oxygen pacific packers painter palace palmer panda pandas pandora panther panthers papa paper paradise paranoid
paris parola parrot party passion passme passport passpass passwd password2 password3 password9 passwords patriot
patriots payday payment peace peaches peacock pearl pebbles pencil penguin penguins penis penny people pepsi perfect
perfume person personal phantom philips photo photos phone piano picasso pickle picture pikachu pilot pimp pimpin
pineapple pink pinkfloyd pinky pioneer pirate pirates pistol pizza planet plastic platinum play playa playboy player1
playing playstation please1 pleasure pocket poison poker police polina politics polo pony poohbear pookie poop poopoo
popcorn popeye porn pornstar portugal positive postal postman potato potter power powerful precious predator premier
presario present president pretty prettygirl pride primus prince1 princess1 princesse princeton prisoner private
problem prodigy profit project promise prophet protect proud psycho public pumpkin punisher punk punkrock puppies
puppy purple1 pussy pussycat pyramid quality quantum quarter queen queenbee quest quick quiet qwaszx racer racing
radio radiohead ragnarok railroad rain rainbow rainbow1 rainbows raining rambo random rasta raven ravens reading ready
realmadrid reality reason rebel rebels reddevil reddog redhead redhot redred redrose redrum redskins reggae register
remember renault republic rescue research respect retired revenge revolution reward rich rider river rivers rock
rocker rocket rockets rockon rocknroll rocks rockstar rockyou romance romania romantic romeo ronaldo ronaldo7
ronaldinho rooney rooster rose rosebud roses rotten royal royals rugby runner running rush russia russian sailing
sailor saint saints sakura salmon salvation samurai sandman santafe santana santiago sapphire satan satellite saturday
saturn savage savior scarface school science scooter1 scorpio scorpion scorpions scotland scout scream screen seattle
secret1 secrets section secure security select semperfi senior september sergeant service seven seventeen seventy sex
sexsex sexy sexy1 sexybaby sexyboy sexygirl sexylady sexymama sexyman sexything shadow1 shadows shakira shalom shane
shark sharks sharp sheep sheila shelby shell sherlock shine shinobi ship shit shithead shooter shopping shorty shotgun
showtime sierra silence silent silly simba simpson simpsons single sister sisters sixteen sixty skate skateboard
skater skeleton skipper skittles skull skywalker slave sleep sleepy slipknot slut smart smile1 smiles smiley smiling
smoke smoker smokey1 smoking smooth snake snakes sniper snow snowball snowboard snowflake snowman snowwhite sober
socrates softball software soldier someone something sonata songs sonic sony sony123 soul south southern southpark
spaceman space spain spanish spark sparkle sparrow spartan spartans special speed speedy sphinx spice spiderman spirit
spitfire splash sponge spongebob spooky sport sporting sports spring springs square squirrel stalker standard star
starbucks stardust starfire stargate starlight starfish stars start starter station status stealth steel stella
stephen stewart sticky stinky stone stoner stones storm stormy straight stranger strawberry street strike strong
student studio stupid style subaru submit subway sugar suicide summer1 summer99 summertime sunday sunflower sunny
sunset sunshine1 super super1 supergirl supermario superman1 supernova superstar support surfer surfing surprise
survivor suzuki sweden sweet sweet16 sweetheart sweetie sweetness sweetpea sweets sweety swimmer swimming switch sword
sydney symphony system tarantula tarheels target tattoo taurus teacher team technics techno teddy teddybear teenager
teen telephone temple tennessee tequila terminal terminator terror terrorist texas thailand thanks theboss thebest
thebeatles theking theman theone therapy therock thesims thinking thirteen thirty three thriller thugs thuglife
thunder1 thursday ticket tickle tigercat tiger tiger1 tigers1 tigerwoods timber time tinker tinkerbell titanic
titanium titans titties today token tokyo tomato tomcat tomorrow toonarmy topgun tornado toronto torres tottenham
toxic toyota track tractor trade trader trading traffic trance transit transfer trapper traveler travel treasure trees
triangle trigger trinity triple tristan triumph trooper tropical trouble truck trucker true truelove trumpet trust
trusting truth tsunami tuesday turbo turkey turtle turtles tweety twilight twins twister twitter two umbrella uncle
undead undertaker underworld unicorn united universe university unique unknown unlimited unlock unreal usmc utopia
vacation vagina valentine valentina vampire vampires vanilla vector vegas vegeta venice venom ventura venus verizon
vertigo victor victory video vietnam viking vikings village vintage violet violin viper virgin virginia virgo virus
vision vista vodka volcano volcom volley volleyball volvo voodoo voyager vulcan wallet walker walrus wanker want
warcraft wareagle warrior warriors washington water waterfall watermelon weasel weather web webmaster wedding
wednesday weed weekend weezer welcome2 werewolf western westham westlife whatthe whatup whiskey whisper white whiteboy
whitney whore wicked widget wildcat wildcats wildfire willow window windows windsurf wings winner1 winners winter1
wisdom wise withdraw wolf wolfgang wolfpack wolverine wolves woman women wonder wonderful wonderland woodland woody
working world worldcup worship wrestler wrestling xbox360 xfiles xxxxxx yahoo yankee yankees1 yesterday young yourmom
youtube yugioh zebra zenith zero zeppelin zidane zigzag zodiac zombie zombies zxcasd zxcasdqwe zxasqw aaron abdul
abdullah abhishek abigail abraham adrian adriana agnes ahmad ahmed aisha aishwarya akash alan alberto alejandra
alejandro alessandro alexa alexander alexandra alexandre alexia alexis alfred alfredo alice alicia alina alisha alison
allison alyssa amber amelia amine amit amitabh amy anand anastasia andre andreas andres andy angelica angelina angelo
anita anjali anna annabelle annette annie anton antonio anuradha archie ariana ariel armando arthur arturo ashish
ashok asmaa audrey ayesha barbara beatrice beatriz belinda benjamin bernard bernie bertha beth bethany beverly bianca
bill billy bob bobbie boris brad brandi brenda brendan brian brianna bridget britney britney1 brooke bruce bruno bryan
caitlin calvin cameron camila camille candace carl carla carlo carlos carmen carol carolina caroline carrie casey
cassie catherine cathy cecilia cedric chandra charlene charlie1 charlotte chelsea1 cheryl chloe christina christine
christoph christopher cindy clara clarence claude claudia claudio clifford clinton cody colin colleen connie connor
corey courtney craig cristian cristiano cristina crystal1 curtis cynthia damian dana daniel1 daniela danielle danny
darius darren david david1 dean deborah deepak dennis denise derek desiree diana diane diego dimitri dinesh divya
dominic dominique donna doris dorothy douglas dylan eddie edgar eduardo edwin elaine elena eleanor elias elizabeth
ellen elliot emilia emilio emily emma emmanuel enrique eric erica erika ernesto esteban esther ethan eugene evelyn
fatima faustino felicia felipe fernanda fernando fiona florence frances francesca francesco francis francisco frank
frankie franklin gabriel gabriela gabrielle gareth gary gaurav gavin geoffrey georgia gerald gerard gilbert giovanni
giuseppe gloria gordon grace1 graham gregory guillermo gustavo hamza harold harrison harry harsh harvey hassan hasan
heather1 hector helen helena henry herbert hilary howard hugo hussain hussein ibrahim imran irene irina isaac isabel
isabella isabelle islam ismail ivan jack jackie jacob jacqueline jaime jake james james1 jamie jane janet janice jared
jasmin jason jason1 javier jayden jeffrey jenna jennifer1 jenny jeremiah jeremy jerome jerry jessie jesse jessica1
jimmy joanna jocelyn joel johan john johnson jonathan jordan1 jordan23 jorge jose josephine joyce juan juanita judith
judy julia julian juliana julie juliet justine justine1 kareem karen karim karina karl katherine kathleen kathryn
katie katrina kavita kayla keith kelly kelsey kenneth kenny kevin kevin1 khalid khaled kiran kimberly kimmie kristen
kristin kristina krishna kumar kyle larry laura laurence lawrence leah leo leon leonard leonardo leslie lewis liam
lily linda lindsay lindsey lisa logan lorena lorenzo louis louise lucas lucia lucy luis luisa luke lydia mahmoud
malcolm manish manuel manuela marcel marcela marco marcos marcus margaret maria maria1 mariah mariana marie marilyn
mario marion marissa marjorie mark marlene marsha marshall martha martina marvin mary maryam mason mathew matt matteo
maureen maurice mauricio max maximus maxwell megan melanie melinda mercedes1 meredith mia michael1 micheal michele
miguel mike mildred milena miranda mitchell mohammad mohammed mohammed1 mohan monica monika monique morgan1 muhammad
murphy mustafa nadia nancy naomi natalia natalie nathan nathaniel neha neil nelson nicholas nick nicola nicolas nikhil
nikki nina noah noel nora norman olga olivia omar oscar osama owen pablo pamela pankaj paola patricia patrick1 paul
paula pauline pedro peter peter1 phil philip phillip phyllis pierre pooja pradeep prakash prasad preeti priya priyanka
rafael rahul rajesh raj raja rakesh ralph ramesh ramon randy raphael raquel rashid ravi raymond rebecca regina renata
rene ricardo richard1 ricky riley rishi rita robert1 roberto robin rodney rodrigo roger rohit roland ronald ronnie
rosa rosario rosemary ross roxanne roy ruben ruby russell ruth ryan sabrina sachin sahil said salman salvador sam
samir sammy samuel sandeep sandra sandy sanjay santosh sara sarah sarah1 sascha sasha satish scott sean sebastian
serena sergey sergio seth shannon sharon shaun shawn shirley shivam shreya sidney silvia simon simone sneha sofia
sonia sophia sophie spencer stacey stacy stanley stefan stephanie stephen1 steve steven1 stuart sunil suresh susan
suzanne sylvia sylvie tamara tania tanya tara tatiana teresa terry theodore theresa tiffany tim timothy tina toby todd
tom tommy tony tracey tracy travis trevor trisha troy tyler tyrone usman valeria valerie vanessa vera vernon vicki
vicky victor1 victoria1 vijay vikas vikram vincent vinod virginie vishal vivek vivian vladimir walter wanda warren
wayne wendy wesley wilfred william1 willie wilson winston xavier yasmin yolanda yousef youssef yusuf yvonne zachary
zahra zainab zhang zhanglei zoe sathorn silom sukhumvit siam siam123 ayutthaya chiangmai chiangrai phuket pattaya
krabi samui huahin hatyai khonkaen korat ubon udon isan lanna muangthong buriram krungthep thai thaiboy thaigirl
thailand1 thailove muaythai elephant1 sawasdee sawatdee sabaidee sabai sanuk mairu maimee rakthai rakna rakjung
rakkhun rakmak rakmae rakmaeh rakter chanrakter khunnoo loveking lovethai khing farang khaosoi somtam tomyum padthai
mama mamamia singha changbeer leochang redbull krating somchai somsak somying somporn sombat sompong somjai somkid
suchart sudarat sunisa supaporn suphan surachai suwanna siriporn sirikit sirinthorn saowalak sarawut sakchai sompob
narong nattapong natthapong nattaya nattawut naruemon nongnuch nonglek noppadon niran nipaporn nicha ning noina nong
anan ananda anchalee anong apichai apinya apiwat aree arthit arun boonchai boonmee boonsong buppha busaba chaiwat
chalerm chanida chanin charoen chatchai chutima danai duang duangjai ekachai ekkachai jakkrit jaruwan jeerapong
jintana jiraporn kamol kanchana kanya kanokwan karnchana kasem kittisak kittipong komsan krit krittika kulap lamai
malee malai manee manit mongkol monthon nakorn napat namfon namtan naphat narumon orathai orawan panida panya parichat
pattama patcharin pensri phairot phichai pichai pimchanok pimpa piyanut piyaporn piyawat pongsak porn pornchai pornpan
pornthip prachya pranee prasert prasit prayuth preecha prapaporn ratchanee ratana rattana rungnapa ruangsak sasithorn
sawat suda sukanya sumalee sunee surasak suriya suthep suttipong taksin tanawat thaksin thanaporn thana thanakorn
thanapon thawatchai thida thitima thongchai tippawan tosapon udom uthai utumporn vichai vichit viroj wanchai wandee
wanida wanna wannee waraporn warunee wasana wattana weerachai weerapong wichai wilai wilaiwan winai wipa wirat worawut
yada yai yingluck yuphin vientiane luangprabang phnompenh angkor angkorwat yangon mandalay saigon hanoi danang
malaysia singapore penang jakarta bali manila mahal mahalko mahalkita iloveyouso pangit maganda anghel kumusta sayang
sayangku cintaku rahasia bismillah alhamdulillah allah allahakbar inshallah mashallah subhanallah habibi habibti salam
quran makkah madina jannah ganesh ganesha shiva shivji hanuman jaimatadi jaihind omsairam sairam waheguru krishna1
radhekrishna mahadev bharat hindustan namaste india123 pakistan bollywood sachin10 kohli18 virat dhoni7 rohit45
cricket1 xiaomi oppo vivo realme lazada shopee grab gojek tiktok facebook facebook1 wechat alipay taobao zhangwei
wangwei liwei wangfang lina zhangmin lijing wanglei zhangjing wangjing liuwei shanghai beijing taiwan hongkong1 macau
doraemon onepiece luffy zoro sasuke itachi kakashi goku gundam evangelion totoro pikachu1 sailormoon lovelive arigato
sayonara konnichiwa nihon tokyo1 osaka kawaii blackpink jennie lisa1 rose1 jisoo bangtan jungkook taehyung jimin
exoexo babymonster newjeans twice moneymoney money1 money123 getrich richman bigmoney dollar1 bitcoin1 btc btc123 eth
usdt usdt123 tether doge dogecoin shiba crypto1 crypto123 cryptoking hodl tothemoon lambo satoshi nakamoto blockchain
metamask ledger trezor coinbase bybit okx kucoin huobi bitkub binance1 binance123 trading1 trader1 forex1 profit1
invest investor investment stock stocks bullish bearish whale pump moon1 wallet1 wallet123 bank123 account1 account123
login login123 logmein signin secure1 security1 access14 access1 private1 letmein2 opensesame fifa fifa2022 pubg
pubgmobile freefire rov garena dota dota2 mobilelegend valorant roblox roblox1 fortnite minecraft1 callofduty
counterstrike csgo halo halo3 runescape worldofwarcraft starcraft leagueof lolking zelda mario luigi sonic1 pacman
tetris crysis manutd manunited manchester mancity liverpool1 chelseafc arsenal1 arsenal14 barcelona barca realmadrid1
bayern juventus1 acmilan intermilan psg messi messi10 neymar neymar11 mbappe haaland cr7 ronaldo1 ronaldo9 beckham7
beckham23 gerrard8 lampard8 kobe lebron lebron23 curry30 jordan45 lakers24 bulls23 warriors30 federer nadal serena1
tyson ali hamilton44 schumacher senna rossi46 yamaha1 honda123 kawasaki ducati yamaha123 suzuki1 bmw bmwm3 audi audia4
porsche911 ferrari1 toyota1 mazda1 nissan1 subaru1 tesla harley1
`;
