// Command lines of a skill, and what they give it.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { arg } from "../../src/guest/skill.ts"
import type { ArgumentDeclaration } from "../../src/guest/skill-declaration.ts"

export const cwd = mkdtempSync(join(tmpdir(), "mcp-exec-arguments-"))
writeFileSync(join(cwd, "there.txt"), "x")
mkdirSync(join(cwd, "folder"))

export interface ArgumentsCase {
  name: string
  args: Record<string, ArgumentDeclaration>
  words: string[]
  env?: Record<string, string>
}

export const text = arg.string({ required: true })
export const several = { maxItems: arg.integer(), quiet: arg.boolean(), tag: arg.list(), url: arg.string() }

export const good: (ArgumentsCase & { want: Record<string, unknown> })[] = [
  { name: "a value may follow its option", args: several, words: ["--url", "x"], want: { url: "x" } },
  { name: "a value may be attached, and hold =", args: several, words: ["--url=a=b"], want: { url: "a=b" } },
  { name: "an attached value may be empty", args: several, words: ["--url="], want: { url: "" } },
  { name: "an attached value may look like an option", args: several, words: ["--url=--x"], want: { url: "--x" } },
  { name: "a value may begin with one dash", args: several, words: ["--max-items", "-5"], want: { maxItems: -5 } },
  { name: "names may be in kebab case", args: several, words: ["--max-items", "5"], want: { maxItems: 5 } },
  { name: "names may be in camel case", args: several, words: ["--maxItems=5"], want: { maxItems: 5 } },
  { name: "names may have underscores", args: several, words: ["--max_items=5"], want: { maxItems: 5 } },
  {
    name: "a boolean takes no word",
    args: { ...several, text },
    words: ["--quiet", "x"],
    want: { quiet: true, text: "x" },
  },
  { name: "--no- switches a boolean off", args: several, words: ["--no-quiet"], want: { quiet: false } },
  { name: "a boolean may be spelt out", args: several, words: ["--quiet=false"], want: { quiet: false } },
  {
    name: "an argument may be called no-something itself",
    args: { noCache: arg.boolean(), cache: arg.boolean() },
    words: ["--no-cache"],
    want: { noCache: true },
  },
  {
    name: "a list is given by repetition",
    args: several,
    words: ["--tag", "a,b", "--tag=c"],
    want: { tag: ["a,b", "c"] },
  },
  { name: "a list is given as JSON", args: several, words: ["--tag", '["a", "b"]'], want: { tag: ["a", "b"] } },
  { name: "a list may be empty", args: several, words: ["--tag=[]"], want: { tag: [] } },
  { name: "an item may begin with a bracket", args: several, words: ["--tag", "[x"], want: { tag: ["[x"] } },
  {
    name: "a list may hold numbers",
    args: { n: arg.list({ of: "number" }), i: arg.list({ of: "integer" }) },
    words: ["--n", "1.5", "--n=-2e3", "--i=[1,2]"],
    want: { n: [1.5, -2000], i: [1, 2] },
  },
  {
    name: "required arguments may be given by position",
    args: { a: text, b: arg.string(), c: arg.integer({ required: true }) },
    words: ["x", "7"],
    want: { a: "x", c: 7 },
  },
  {
    name: "a position is not taken by what an option gives",
    args: { a: text, c: text },
    words: ["x", "--a", "y"],
    want: { a: "y", c: "x" },
  },
  {
    name: "a required list takes all further words",
    args: { a: text, b: arg.list({ required: true }) },
    words: ["1", "2", "3"],
    want: { a: "1", b: ["2", "3"] },
  },
  { name: "-- ends the options", args: { a: text, b: text }, words: ["x", "--", "-h"], want: { a: "x", b: "-h" } },
  {
    name: "a first -- only parts from exec's own words",
    args: { a: text },
    words: ["--", "--a", "x"],
    want: { a: "x" },
  },
  { name: "a second -- ends the options", args: { a: text }, words: ["--", "--", "--a"], want: { a: "--a" } },
  {
    name: "a negative number may stand by position",
    args: { n: arg.number({ required: true }) },
    words: ["-.5"],
    want: { n: -0.5 },
  },
  { name: "JSON may be anything", args: { j: arg.json() }, words: ["--j", '{"a":[null]}'], want: { j: { a: [null] } } },
  {
    name: "a file is given with its absolute path",
    args: { f: arg.file() },
    words: ["--f", "there.txt"],
    want: { f: join(cwd, "there.txt") },
  },
  { name: "an enum is one of its values", args: { e: arg.enum(["a", "b"]) }, words: ["--e", "b"], want: { e: "b" } },
  {
    name: "a default is used as it is",
    args: { a: arg.json({ default: { x: 1 } }) },
    words: [],
    want: { a: { x: 1 } },
  },
  {
    name: "a default makes an argument not required",
    args: { a: arg.string({ default: "x", required: true }) },
    words: [],
    want: { a: "x" },
  },
  {
    name: "a file by default is found too",
    args: { f: arg.file({ default: "there.txt" }) },
    words: [],
    want: { f: join(cwd, "there.txt") },
  },
  {
    name: "a variable comes before the default",
    args: { n: arg.integer({ env: "N", default: 1 }) },
    words: [],
    env: { N: "2" },
    want: { n: 2 },
  },
  {
    name: "a word comes before the variable",
    args: { n: arg.integer({ env: "N", default: 1 }) },
    words: ["--n=3"],
    env: { N: "2" },
    want: { n: 3 },
  },
  {
    name: "an empty variable is none",
    args: { n: arg.integer({ env: "N", default: 1 }) },
    words: [],
    env: { N: "" },
    want: { n: 1 },
  },
  {
    name: "a required argument may come from a variable",
    args: { n: arg.boolean({ env: "N", required: true }) },
    words: [],
    env: { N: "1" },
    want: { n: true },
  },
  {
    name: "a name may be one that objects have",
    args: { constructor: arg.string() },
    words: ["--constructor", "x"],
    want: { constructor: "x" },
  },
]

export const number = { n: arg.number() }
const integer = { n: arg.integer({ min: 1, max: 5 }) }
export const bad: (ArgumentsCase & { want: string[] })[] = [
  { name: "a required argument is missing", args: { a: text }, words: [], want: ["--a is required"] },
  {
    name: "the missing one is described, with its variable",
    args: { a: arg.string({ required: true, env: "A", description: "The page" }) },
    words: [],
    want: ["--a is required, unless A is set and passed on (exec --env A): The page"],
  },
  { name: "an option is unknown", args: several, words: ["--zzz"], want: ['"--zzz" is not an option'] },
  {
    name: "an option is misspelt",
    args: several,
    words: ["--max-itmes", "3"],
    want: ['"--max-itmes" is not an option; did you mean --max-items?'],
  },
  { name: "there are no short options", args: several, words: ["-q"], want: ['"-q" is not an option'] },
  {
    name: "only a boolean can be switched off",
    args: several,
    words: ["--no-url"],
    want: ['"--no-url" is not an option'],
  },
  { name: "--no- takes no value", args: several, words: ["--no-quiet=true"], want: ['"--no-quiet" is not an option'] },
  { name: "a value is missing at the end", args: { a: text }, words: ["--a"], want: ["--a needs a value"] },
  {
    name: "a value is missing before the next option",
    args: several,
    words: ["--url", "--quiet"],
    want: ["--url needs a value"],
  },
  { name: "a value is given twice", args: several, words: ["--url=a", "--url=b"], want: ["--url is given twice"] },
  { name: "a word is one too many", args: { a: text }, words: ["x", "y"], want: ['"y" belongs to no option'] },
  ...["1e3", "0x10", "1.5", "", " ", "NaN", "1_000"].map((value) => ({
    name: `${JSON.stringify(value)} is no integer`,
    args: integer,
    words: [`--n=${value}`],
    want: [`--n must be an integer, as in 42; found ${JSON.stringify(value)}`],
  })),
  ...["0x10", "", " ", "1e999", "Infinity", "1,5"].map((value) => ({
    name: `${JSON.stringify(value)} is no number`,
    args: number,
    words: [`--n=${value}`],
    want: [`--n must be a number, as in 1.5; found ${JSON.stringify(value)}`],
  })),
  {
    name: "an integer is larger than can be counted",
    args: { n: arg.integer() },
    words: ["--n", "9007199254740993"],
    want: ['--n is too large: "9007199254740993"'],
  },
  { name: "a number is too small", args: integer, words: ["--n", "0"], want: ["--n must be at least 1; found 0"] },
  { name: "a number is too large", args: integer, words: ["--n", "6"], want: ["--n must be at most 5; found 6"] },
  {
    name: "a boolean is neither",
    args: several,
    words: ["--quiet=maybe"],
    want: ['--quiet must be true or false; found "maybe"'],
  },
  {
    name: "a boolean is a word that objects have",
    args: several,
    words: ["--quiet=constructor"],
    want: ['--quiet must be true or false; found "constructor"'],
  },
  {
    name: "a value is not in the enum",
    args: { e: arg.enum(["text", "json"]) },
    words: ["--e=jsno"],
    want: ['--e must be one of text, json; found "jsno"; did you mean json?'],
  },
  {
    name: "a file is missing",
    args: { f: arg.file() },
    words: ["--f=no.txt"],
    want: ['--f must be a file that exists; found "no.txt" (ENOENT)'],
  },
  {
    name: "a file is a folder",
    args: { f: arg.file() },
    words: ["--f=folder"],
    want: ['--f must be a file; "folder" is a folder'],
  },
  {
    name: "the path of a file is empty",
    args: { f: arg.file() },
    words: ["--f="],
    want: ['--f must be the path of a file; found ""'],
  },
  {
    name: "an item of a list is wrong",
    args: { n: arg.list({ of: "integer" }) },
    words: ["--n=1", "--n=x"],
    want: ['--n must be an integer, as in 42; found "x"'],
  },
  {
    name: "an item of a JSON list is wrong",
    args: { n: arg.list({ of: "integer" }) },
    words: ['--n=[1,"2"]'],
    want: ['--n must be a list of integers; found "[1,\\"2\\"]"'],
  },
  {
    name: "a JSON list of strings holds a number",
    args: several,
    words: ["--tag=[1]"],
    want: ['--tag must be a list of strings; found "[1]"'],
  },
  {
    name: "a variable is wrong",
    args: { n: arg.integer({ env: "N" }) },
    words: [],
    env: { N: "x" },
    want: ['$N, for --n, must be an integer, as in 42; found "x"'],
  },
  {
    name: "everything is wrong at once",
    args: { a: text, n: arg.integer(), e: arg.enum(["x"]) },
    words: ["--n", "z", "--e=y", "--wat", "5", "-?"],
    want: [
      '"--wat" is not an option',
      '"-?" is not an option',
      "--a is required",
      '--n must be an integer, as in 42; found "z"',
      '--e must be one of x; found "y"',
    ],
  },
]
