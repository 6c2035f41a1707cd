package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
)

// uncounted returns the mark, in a list of exempt lines, of a line that does not count as a sale there. The mark is the
// complement of the line's number, which is negative.
func uncounted(line int) int { return ^line }

// nexusExemptLines returns the numbers of the lines that are exempt sales at the destination. Stage 2 freed them, or
// the law of the place does, by the content that resolved it. It also returns the marks of uncounted lines. Lines of a
// refund are like those of its original, because a refund subtracts exactly what was counted. The result is that of the
// calculation; nil without one.
func nexusExemptLines(
	t models.Transaction, rates Rates, calculate func(tax.Request) (tax.Result, error),
) ([]int, *tax.Result) {
	if t.Type.IsCredit() {
		return refundedExemptLines(t), nil
	}
	lines := exemptLines(t)
	if t.Place == nil {
		return lines, nil
	}
	for _, pair := range append(lawPairs(t), pairOf(t)) {
		if _, ok := rates[pair]; !ok && pair.From != pair.To {
			return lines, nil // stage 4 lets it wait for the rate, and it is counted again
		}
	}
	request := taxRequest(t, rates, "")
	request.BelowUnionThreshold = false // its class there decides whether it is taxed there
	request.Reasons = tax.NoReasons
	result, err := calculate(request)
	if err != nil || len(result.Lines) != len(t.Items) {
		return lines, nil // stage 4 says what is wrong
	}
	for i, item := range t.Items {
		switch line := &result.Lines[i]; {
		case line.NexusUncounted:
			lines = append(lines, uncounted(item.LineNo))
		case line.NexusExempt && !item.Exempt:
			lines = append(lines, item.LineNo)
		}
	}
	return lines, &result
}

// exemptLines returns the numbers of the lines that are exempt from tax.
func exemptLines(t models.Transaction) []int {
	lines := make([]int, 0, len(t.Items))
	for _, item := range t.Items {
		if item.Exempt {
			lines = append(lines, item.LineNo)
		}
	}
	return lines
}

// refundedExemptLines returns the lines that refund exempt sales. For an original without stored lines, it returns
// those that stage 2 freed.
func refundedExemptLines(t models.Transaction) []int {
	if t.Original == nil || t.Original.NexusExemptLines == nil {
		return exemptLines(t)
	}
	lines := make([]int, 0, len(t.Items))
	for _, item := range t.Items {
		switch was := t.Original.NexusExemptLines; {
		case item.OriginalLine == nil:
		case slices.Contains(was, uncounted(*item.OriginalLine)):
			lines = append(lines, uncounted(item.LineNo))
		case slices.Contains(was, *item.OriginalLine):
			lines = append(lines, item.LineNo)
		}
	}
	return lines
}
