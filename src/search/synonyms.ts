// What tools call by several names. General knowledge of tools and services, one group per line.
import { stem } from "./tokenize.ts"

/** Words for which the other one may stand, at less than its own weight. */
const alike = `
  list get fetch retrieve read show view obtain load
  search find query lookup discover browse
  create add new make insert generate build
  delete remove destroy drop erase clear cancel
  update edit modify change set patch
  write save store export append
  send post publish share
  run execute invoke start launch
  stop kill terminate end
  calculate compute evaluate determine count
  convert transform translate
  check validate verify test detect
  download fetch get
  upload import
  copy duplicate clone
  move rename
  compare diff difference
  summarize summary digest
  analyze analysis insight statistics
  draw plot visualize chart graph diagram
  enable activate
  disable deactivate
  join merge combine concatenate
  split divide separate
  image picture photo
  document file
  directory folder
  information detail
  message email mail chat
  url link website webpage site page web
  user account member profile person
  task todo issue ticket
  event schedule calendar meeting
  location place address position
  route directions navigation path
  spreadsheet sheet excel workbook
  presentation slide powerpoint
  current now today latest recent
  time date clock today tomorrow yesterday
  database table sql
  record row entry item
  tag label category
  comment reply note
  log event history
  error exception failure
  secret password credential key
  permission role access
  container docker
  cluster kubernetes
  server host machine instance
  job worker process`

/** Two spellings of the same thing, the ends of file names among them. */
const same = `
  repo repository
  dir directory
  info information
  doc document documentation
  db database
  config configuration
  id identifier
  img image
  pic picture
  msg message
  auth authentication
  org organization
  app application
  stats statistics
  lat latitude
  lon lng longitude
  env environment
  param parameter
  num number
  lang language
  temp temperature
  admin administrator
  k8s kubernetes
  btc bitcoin
  eth ethereum
  tv television
  analyse analyze
  colour color
  ppt pptx powerpoint
  xls xlsx excel
  docx word
  md markdown
  js javascript
  ts typescript
  py python
  txt text
  yml yaml
  htm html
  png jpg jpeg gif svg image
  mp3 wav audio
  mp4 mov video`

/** The stems that may stand for this one, each with how much it counts. */
export function synonymsOf(stemmed: string): Map<string, number> {
  const synonyms = new Map<string, number>()
  for (const [groups, factor] of groupsByFactor) {
    for (const group of groups) {
      if (!group.some((word) => isStem(word, stemmed))) continue
      for (const word of group) if (!isStem(word, stemmed)) synonyms.set(stem(word), factor)
    }
  }
  return synonyms
}

const groupsByFactor = [
  [groupsOf(alike), 0.55],
  [groupsOf(same), 0.7],
] as const

function groupsOf(lines: string): string[][] {
  return lines
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" "))
}

/** Stemming never changes the first two letters, and seldom is there a need to stem. */
function isStem(word: string, stemmed: string): boolean {
  return word.startsWith(stemmed.slice(0, 2)) && stem(word) === stemmed
}
