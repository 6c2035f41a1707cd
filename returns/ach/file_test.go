package ach

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

func amountOf(t *testing.T, text string) money.Total {
	t.Helper()
	amount, err := money.ParseTotal(text)
	require.NoError(t, err)
	return amount
}

// aFile has three payments on two days.
func aFile(t *testing.T) *File {
	t.Helper()
	california := Account{Routing: "122235821", Number: "1234567890", Name: "CA DEPT OF TAX AND FEE"}
	return &File{
		Created: 20260720, Modifier: "A", Origin: "1123456789", Company: "Müller & Söhne Handel GmbH",
		Bank: Account{Routing: "021000021", Number: "000123456789", BankName: "First Bank"},
		Payments: []Payment{
			{To: california, Taxpayer: "100123456", TaxType: "04101", AmountType: "T", PeriodEnd: 20260630,
				Amount: amountOf(t, "1234.56"), Settles: 20260731},
			{To: Account{Routing: "011000015", Number: "77-1", Name: "A STATE", Savings: true}, Taxpayer: "X1", TaxType: "042", AmountType: "T",
				PeriodEnd: 20260630, Amount: amountOf(t, "0.05"), Settles: 20260720},
			{To: california, Taxpayer: "100123456", TaxType: "04101", AmountType: "T", PeriodEnd: 20260331,
				Amount: amountOf(t, "10.00"), Settles: 20260731},
		},
	}
}

// The file by hand: two batches, the earlier day first, and one block that is filled with nines.
func TestAFileOfPayments(t *testing.T) {
	t.Parallel()
	written, err := aFile(t).Write()
	require.NoError(t, err)
	nines := strings.Repeat("9", 94)
	require.Equal(t, []string{
		"101 0210000211123456789260720    A094101FIRST BANK             MULLER & SOHNE HANDEL G        ",
		"5220MULLER & SOHNE H                    1123456789CCDTAX PAYMT       260720   1021000020000001",
		"63201100001577-1             0000000005X1             A STATE                 1021000020000001",
		`705TXP*X1*042*260630*T*5\                                                          00010000001`,
		"82200000020001100001000000000000000000000005" + "1123456789" + strings.Repeat(" ", 25) + "021000020000001",
		"5220MULLER & SOHNE H                    1123456789CCDTAX PAYMT       260731   1021000020000002",
		"6221222358211234567890       0000123456100123456      CA DEPT OF TAX AND FEE  1021000020000002",
		`705TXP*100123456*04101*260630*T*123456\                                            00010000002`,
		"6221222358211234567890       0000001000100123456      CA DEPT OF TAX AND FEE  1021000020000003",
		`705TXP*100123456*04101*260331*T*1000\                                              00010000003`,
		"82200000040024447164000000000000000000124456" + "1123456789" + strings.Repeat(" ", 25) + "021000020000002",
		"9000002000002000000060025547165000000000000000000124461" + strings.Repeat(" ", 39),
		nines, nines, nines, nines, nines, nines, nines, nines, "",
	}, strings.Split(string(written), "\r\n"))
}

// The own account pays for each batch where the bank does not add that itself. Debits and credits are equal then.
func TestTheOwnAccountPaysForEachBatch(t *testing.T) {
	t.Parallel()
	f := aFile(t)
	f.Offset = true
	written, err := f.Write()
	require.NoError(t, err)
	lines := strings.Split(string(written), "\r\n")
	require.Equal(t, "627021000021000123456789     0000000005               MULLER & SOHNE HANDEL   0021000020000002", lines[4])
	require.Equal(t, "82000000030003200003000000000005000000000005", lines[5][:44])
	f.Bank.Savings = true
	written, err = f.Write()
	require.NoError(t, err)
	require.Equal(t, "637", string(written)[4*96:4*96+3])
}

// A reader of the columns finds the sums of the control records in the entries, for files of any size.
func TestTheControlRecordsHaveTheSums(t *testing.T) {
	t.Parallel()
	for n := range 25 {
		f := aFile(t)
		one := f.Payments[0]
		f.Payments = nil
		for i := range n + 1 {
			one.Amount = amountOf(t, strconv.Itoa(i+1)+".01")
			one.Settles = calendar.Date(20260701 + i%3)
			f.Payments = append(f.Payments, one)
		}
		written, err := f.Write()
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSuffix(string(written), "\r\n"), "\r\n")
		require.Zero(t, len(lines)%10, n)
		sums := map[string][3]int{} // by the kind of the control record: entries, hash and credits
		for _, line := range lines {
			require.Len(t, line, 94)
			number := func(from, to int) int {
				found, err := strconv.Atoi(line[from-1 : to])
				require.NoError(t, err, line)
				return found
			}
			s, total := sums["batch"], sums["file"]
			switch {
			case line == strings.Repeat("9", 94):
			case line[0] == '5':
				s = [3]int{}
			case line[0] == '6':
				bank, amount := number(4, 11), number(30, 39)
				s, total = [3]int{s[0] + 1, s[1] + bank, s[2] + amount}, [3]int{total[0] + 1, total[1] + bank, total[2] + amount}
			case line[0] == '7':
				s[0]++
				total[0]++
			case line[0] == '8':
				batch := [3]int{number(5, 10), number(11, 20), number(33, 44)}
				require.Equal(t, batch, s, n)
			case line[0] == '9':
				file := [3]int{number(14, 21), number(22, 31), number(44, 55)}
				require.Equal(t, file, total, n)
				require.Equal(t, len(lines)/10, number(8, 13))
				require.Equal(t, min(n+1, 3), number(2, 7))
			}
			sums["batch"], sums["file"] = s, total
		}
	}
}

// A value that does not fit is refused, and the refusal does not have it.
func TestWhatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*File){
		"routing number": func(f *File) { f.Payments[0].To.Routing = "122235822" },
		"bank":           func(f *File) { f.Bank.Routing = "0210000211" },
		"account":        func(f *File) { f.Payments[0].To.Number = "123456789012345678" },
		"amount":         func(f *File) { f.Payments[0].Amount = amountOf(t, "100000000.00") },
		"addendum":       func(f *File) { f.Payments[0].TaxType = "04*01" },
		"identification": func(f *File) { f.Payments[0].Taxpayer = "1234567890123456" },
		"origin":         func(f *File) { f.Origin = "12345678901" },
		"modifier":       func(f *File) { f.Modifier = "AB" },
		"date":           func(f *File) { f.Payments[0].PeriodEnd = 0 },
	} {
		f := aFile(t)
		change(f)
		_, err := f.Write()
		var refused *FieldError
		require.ErrorAs(t, err, &refused, want)
		require.Equal(t, want, refused.Field)
	}
	f := aFile(t)
	f.Payments[0].Amount = amountOf(t, "-1.00")
	_, err := f.Write()
	require.ErrorContains(t, err, "amount")
}
