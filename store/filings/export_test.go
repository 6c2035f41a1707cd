package filings

// ClaimRegular claims the lines of a regular return, SumReturnLines adds them up.
var (
	ClaimRegular   = claimRegular
	SumReturnLines = sumReturnLines
)

// UnresolvedOf counts what is unresolved of filings.
var UnresolvedOf = unresolvedOf

var RefuseTooMany = refuseTooMany
