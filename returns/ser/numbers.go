package ser

import "slices"

// Level is what an error is about.
type Level string

// Levels of errors.
const (
	LevelTransmission Level = "TRANSMISSION" // all of it is refused
	LevelDocument     Level = "DOCUMENT"     // one document is refused
)

// The numbers of errors in use. 6, 9, 10, 18 and 19 are not any more. States add their own: the code of the state and a number
// from 1001.
const (
	numberMalformed   = 1
	numberInvalid     = 2
	numberEmpty       = 3
	numberContentType = 4
	numberState       = 5
	numberProcess     = 7
	numberCount       = 8
	numberRegistered  = 11
	numberTransmitter = 12
	numberKind        = 13
	numberUnknown     = 14
	numberDuplicate   = 15
	numberParts       = 16
	numberAnswers     = 17
	numberBulk        = 20
	numberHash        = 21
	numberSettlement  = 22
	numberPassword    = 23
	numberSharedOnly  = 24
	numberFood        = 25
	numberStateID     = 26
)

// Numbered is one of the numbered errors with which states answer.
type Numbered struct {
	Number int
	Level  Level
	Rule   string // the rule that was broken
	// Checked tells that Validate finds it. The others are about what a file cannot tell.
	Checked bool
}

// numbered are all errors in use.
var numbered = []Numbered{
	{numberMalformed, LevelTransmission, "The file is not well formed.", true},
	{numberInvalid, LevelTransmission, "The file does not keep the schema.", true},
	{numberEmpty, LevelTransmission, "The file is empty.", true},
	{numberContentType, LevelTransmission, "The content type of the file is missing or not that of XML.", true},
	{numberState, LevelDocument, "The code of the state is not that of the state that received the file.", true},
	{numberProcess, LevelTransmission, "Test and production differ from what the transmitter is registered for.", true},
	{numberCount, LevelTransmission, "The header counts another number of documents than there are.", true},
	{numberRegistered, LevelDocument, "The seller is registered already.", false},
	{numberTransmitter, LevelTransmission, "The transmitter is not the one that signed in.", true},
	{numberKind, LevelTransmission, "The transmitter may not send documents of this kind.", true},
	{numberUnknown, LevelDocument, "The number of the seller is not known.", true},
	{numberDuplicate, LevelTransmission, "A transmission or document with this id was received already.", true},
	{numberParts, LevelDocument, "The kind of the filing does not fit the parts of the document.", true},
	{numberAnswers, LevelTransmission, "The count of acknowledgements is wrong.", false},
	{numberBulk, LevelDocument, "The payment for several documents is not the sum of its parts.", true},
	{numberHash, LevelTransmission, "The header has another sum of payments than there is.", true},
	{numberSettlement, LevelDocument, "The day of payment is over, or banks do not work on it.", true},
	{numberPassword, LevelTransmission, "User or password are wrong.", true},
	{numberSharedOnly, LevelDocument, "The state wants the number of the agreement, and not its own.", true},
	{numberFood, LevelDocument, "The state has no rate of its own for food and drugs, so that this tax must be zero.", true},
	{numberStateID, LevelDocument, "The number that the state gave is not one.", true},
}

// Numbers of errors that a sandbox names.
const (
	Malformed = numberMalformed
	Duplicate = numberDuplicate
)

// LevelOf returns what an error is about. States refuse single documents by errors of their own.
func LevelOf(number int) Level {
	for _, n := range numbered {
		if n.Number == number {
			return n.Level
		}
	}
	return LevelDocument
}

// Errors returns the numbered errors in use.
func Errors() []Numbered { return slices.Clone(numbered) }

// ruleOf returns one of them.
func ruleOf(number int) Numbered {
	return numbered[slices.IndexFunc(numbered, func(n Numbered) bool { return n.Number == number })]
}
