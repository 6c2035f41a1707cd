package filings

// ClaimRegular claims the lines of a regular return, SumReturnLines adds them up.
var (
	ClaimRegular   = claimRegular
	SumReturnLines = sumReturnLines
)

// UnresolvedOf counts the unresolved transactions of filings.
var UnresolvedOf = unresolvedOf

var RefuseTooMany = checkTooMany

// PeriodEnd is the last day of the period of a return in euro.
const PeriodEnd = periodEnd

// SelectFreeze is read before LiveFigures, which adds up the figures of an open return.
var (
	SelectFreeze = selectFreeze
	LiveFigures  = sumsOfFigures(liveFigureLines)
)

// MostCorrections is the most amendments that a return of the one-stop shop corrects.
const MostCorrections = mostCorrections

// Parts of statements that decide as rules do.
const (
	NetOf           = netOf
	DocumentAmounts = documentAmounts
	RecordsOf       = recordsOf
	OfOneStopShop   = ofOneStopShop
	MadeLate        = isLateFiling
)

// InCurrencyOfFiling converts an amount of a row d for a filing f.
var InCurrencyOfFiling = inCurrencyOfFiling

// OwnLines is the condition on the tax lines of the authority of a return, SharedUpTo a running sum of shares.
var (
	OwnLines   = ownLines
	SharedUpTo = sharedUpTo
)

// MayBelong is the condition on a transaction d without a result and a filing f that it may be reported in.
var MayBelong = mayBelong

// WriteFiguresFrom is WriteFigures with the time of the next look at claimed returns.
var WriteFiguresFrom = (*Store).writeFigures
