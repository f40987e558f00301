/**
 * Passwords refused whatever their length: the ones guessed first.
 *
 * Exact comparison in lower case, over about 14,000 entries made of common words and their usual
 * endings, keyboard walks and digit runs. Not here: the length rule (rules/password).
 */
import { INSTITUTION } from "./institution";
import { isBlank, normalForm } from "./plainText";

const WORDS =
  "password passw0rd p@ssword p@ssw0rd pass welcome letmein admin administrator login guest master secret monkey dragon " +
  "sunshine princess football baseball basketball soccer hockey iloveyou lovely shadow superman batman trustno1 " +
  "michael jordan jennifer jessica daniel thomas andrew joshua matthew anthony robert charlie ashley nicole george " +
  "harley ranger buster tigger hunter killer pepper ginger cookie maggie summer winter spring autumn flower banana " +
  "orange purple yellow silver golden diamond angel freedom whatever starwars pokemon computer internet samsung " +
  "google facebook chocolate cheese butterfly liverpool chelsea arsenal barcelona mustang ferrari porsche corvette " +
  "mercedes yamaha chicago london boston dallas texas florida america phoenix eagle falcon tiger lion panther wolf " +
  "merlin gandalf matrix access changeme default temp test testing tester demo sample hello qwerty qwertyuiop asdfgh " +
  "asdfghjkl zxcvbn zxcvbnm azerty qazwsx abc abcd abcde abcdef abcdefg love money bank banking credit account user " +
  "username root toor system server security private online friends family forever happy lucky peace jesus christ " +
  "heaven rainbow unicorn coffee pizza hannah samantha amanda sophie olivia emily oliver jack harry jacob william " +
  "michelle jasmine melissa danielle stephanie elizabeth victoria patricia rebecca rachel natalie vanessa veronica " +
  "alexander alexandra benjamin brandon christopher jonathan nicholas patrick richard steven vincent austin justin " +
  "dennis gabriel gregory lauren morgan heather brandy tiffany crystal caroline kimberly courtney brittany sabrina " +
  "yankees cowboys steelers lakers raiders packers broncos redsox dolphins giants eagles bulldog redskins tottenham " +
  "manchester juventus realmadrid naruto pikachu minecraft fortnite playstation nintendo zelda metallica nirvana " +
  "slipknot eminem rockstar blink182 maverick snoopy scooby spiderman ironman hellokitty mickey doctor phantom " +
  "thunder scorpion marlboro smokey rainbow6 ncc1701 bond007 apollo genius hammer iceman jackass jaguar junior " +
  "midnight mother father peaches peanut power prince rabbit rachel1 redwings runner sparky spider squirt startrek " +
  "steelers1 toyota turtle voodoo warrior wizard xavier yellow1 zxcvbnm1 cheyenne cricket dakota dreams elephant " +
  "fender fishing flyers gateway gemini golfer guitar hardcore hawaii honda jasper lakers1 london1 lovers marina " +
  "martin melanie miller monica montana muffin mustang1 newyork nothing parker phoenix1 player please porsche1 " +
  "princess1 qwerty1 raider rangers rocket rosebud saturn scooter sierra simpsons skippy slayer smooth snowball " +
  "softball sophia spanky stupid sweety tennis theman trouble tucker viking walter willie windows winner wolverine " +
  "fuckyou fuckoff asshole bitch pussy sexy iloveu babygirl sweetheart loveme loveyou mylove beautiful gorgeous";

const ENDINGS =
  ",1,2,3,7,8,9,0,01,11,12,13,22,23,69,77,88,99,007,111,123,1234,12345,123456,321,666,!,1!,@1,@123,?," +
  "2019,2020,2021,2022,2023,2024,2025,2026";

const WALKS =
  "1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc qwe123 qwer1234 qweasd qweasdzxc asdf1234 zaq12wsx !qaz2wsx " +
  "q1w2e3r4 q1w2e3r4t5 abc123 abcd1234 a1b2c3 a1b2c3d4 aa123456 a12345 a123456 123abc 123qwe 1234qwer 147258 " +
  "147258369 159753 159357 741852963 789456 789456123 963852741 456789 112233 121212 123123 123321 131313 232323 " +
  "101010 102030 010203 246810 135790 1234567890 0987654321 987654321 654321 54321 112358 314159 271828 p@$$w0rd";

const DIGITS = "01234567890";
const RUN_LENGTH_MIN = 6;

function digitRuns(): string[] {
  const runs: string[] = [];
  for (let start = 0; start < DIGITS.length; start++) {
    for (let end = start + RUN_LENGTH_MIN; end <= DIGITS.length; end++) {
      const run = DIGITS.slice(start, end);
      runs.push(run, [...run].reverse().join(""));
    }
  }
  return runs;
}

function repeats(): string[] {
  const letters = [..."0123456789abcdefghijklmnopqrstuvwxyz"];
  return letters.flatMap((letter) => [6, 7, 8, 9, 10].map((length) => letter.repeat(length)));
}

let known: ReadonlySet<string> | null = null;

function commonPasswords(): ReadonlySet<string> {
  if (known === null) {
    const withEndings = WORDS.split(" ").flatMap((word) =>
      ENDINGS.split(",").map((ending) => word + ending),
    );
    known = new Set([...withEndings, ...WALKS.split(" "), ...digitRuns(), ...repeats()]);
  }
  return known;
}

/**
 * True when a password is among the first to be guessed: nothing visible, on the list, or simply the
 * institution's name or the part of the person's e-mail before the @.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = normalForm(password, "NFKC").toLowerCase();
  const context = [INSTITUTION.name, INSTITUTION.fullName, email, email.split("@")[0] ?? ""];
  return (
    isBlank(password) ||
    commonPasswords().has(lower) ||
    context.some((word) => word.trim().toLowerCase() === lower)
  );
}
