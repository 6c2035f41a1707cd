package vat_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/returns/vat"
	"levy/tax/money"
)

func boxes(t *testing.T, amounts string) (b vat.Boxes) {
	t.Helper()
	for i, text := range strings.Fields(amounts) {
		var err error
		b[i], err = money.ParseTotal(text)
		require.NoError(t, err)
	}
	return b
}

// The examples of the description of the API.
const decimals = `{"periodKey":"A001","vatDueSales":105.5,"vatDueAcquisitions":-100.45,"totalVatDue":5.05,
	"vatReclaimedCurrPeriod":105.15,"netVatDue":100.1,"totalValueSalesExVAT":300,"totalValuePurchasesExVAT":300,
	"totalValueGoodsSuppliedExVAT":3000,"totalAcquisitionsExVAT":3000,"finalised":true}`

const withHash = `{"periodKey":"#001","vatDueSales":100,"vatDueAcquisitions":100,"totalVatDue":200,"vatReclaimedCurrPeriod":100,
	"netVatDue":100,"totalValueSalesExVAT":500,"totalValuePurchasesExVAT":500,"totalValueGoodsSuppliedExVAT":500,
	"totalAcquisitionsExVAT":500,"finalised":true}`

func TestExamplesOfTheDescription(t *testing.T) {
	t.Parallel()
	r, code := vat.ReadRequest([]byte(decimals))
	require.Empty(t, code)
	require.Equal(t, vat.Received{
		PeriodKey: "A001", Final: true,
		Boxes: boxes(t, "105.50 -100.45 5.05 105.15 100.10 300.00 300.00 3000.00 3000.00"),
	}, r)
	net, err := r.Boxes.Net()
	require.NoError(t, err)
	require.Equal(t, "-100.10", net.String(), "it is given back")
	r, code = vat.ReadRequest([]byte(withHash))
	require.Empty(t, code)
	require.Equal(t, "#001", r.PeriodKey)
	key, viewed, err := vat.ReadView([]byte(strings.Replace(withHash, `,"finalised":true`, "", 1)))
	require.NoError(t, err)
	require.Equal(t, r.Boxes, viewed)
	require.Equal(t, "#001", key)
}

func TestRequestsThatTheAuthorityRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ from, to, code string }{
		{`:100.1`, `:-100.1`, vat.CodeAmount}, {`:100.1`, `:100.2`, vat.CodeNet}, {`:100.1`, `:100.101`, vat.CodeAmount},
		{`"A001"`, `"A01"`, vat.CodePeriodKey}, {`:5.05`, `:5.06`, vat.CodeTotal}, {`:105.5`, `:"105.5"`, vat.CodeNumber},
		{`"totalAcquisitionsExVAT":3000,`, ``, vat.CodeRequest}, {`true`, `false`, vat.CodeNotFinal},
		{`ExVAT":300,`, `ExVAT":300.5,`, vat.CodeAmount}, {`:105.5,`, `:1e2,`, vat.CodeAmount},
		{`:105.5,`, `:null,`, vat.CodeNumber}, {`:105.5,`, `:true,`, vat.CodeNumber},
		{`ExVAT":300,`, `ExVAT":10000000000000,`, vat.CodeAmount}, {`"A001"`, `1`, vat.CodePeriodKey}, {`}`, `}{}`, vat.CodeRequest},
		{`"finalised":true`, `"finalised":"yes"`, vat.CodeRequest}, {`,"finalised":true`, ``, vat.CodeNotFinal},
		{`"vatDueSales"`, `"vatdue"`, vat.CodeRequest},
	} {
		_, got := vat.ReadRequest([]byte(strings.Replace(decimals, test.from, test.to, 1)))
		require.Equal(t, test.code, got, test.to)
	}
	_, got := vat.ReadRequest([]byte("[]"))
	require.Equal(t, vat.CodeRequest, got)
}

func TestBoxesHaveSoManyDigits(t *testing.T) {
	t.Parallel()
	for amounts, want := range map[string]string{
		"9999999999999.99 0 9999999999999.99 9999999999999.99 0 9999999999999 -9999999999999 0 0": "",
		"0 0 0 10000000000000.00 10000000000000.00 0 0 0 0":                                       vat.CodeAmount,
		"0 0 0 99999999999.99 99999999999.99 0 0 0 0":                                             "",
		"0 0 0 100000000000.00 100000000000.00 0 0 0 0":                                           vat.CodeAmount,
		"1 1 1 0 1 0 0 0 0": vat.CodeTotal, "1 1 2 3 2 0 0 0 0": vat.CodeNet, "1 1 2 3 1 0 0 0 0.01": vat.CodeAmount,
	} {
		code, _ := boxes(t, amounts).Fault()
		require.Equal(t, want, code, amounts)
	}
}

// A document is read again as it was, and a request has the same amounts.
func TestDocumentsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	r := vat.Return{VRN: "123456789", Start: 20260401, End: 20260630, Boxes: boxes(t, "105.50 -100.45 5.05 105.15 100.10 300 300 0 0")}
	document := r.Document()
	require.JSONEq(t, `{"vrn":"123456789","start":"2026-04-01","end":"2026-06-30","boxes":{"vatDueSales":105.5,
		"vatDueAcquisitions":-100.45,"totalVatDue":5.05,"vatReclaimedCurrPeriod":105.15,"netVatDue":100.1,"totalValueSalesExVAT":300,
		"totalValuePurchasesExVAT":300,"totalValueGoodsSuppliedExVAT":0,"totalAcquisitionsExVAT":0}}`, string(document))
	read, err := vat.ReadDocument(document)
	require.NoError(t, err)
	require.Equal(t, r, read)
	sent, code := vat.ReadRequest(r.Boxes.Request("18A1"))
	require.Empty(t, code)
	require.Equal(t, vat.Received{PeriodKey: "18A1", Boxes: r.Boxes, Final: true}, sent)
	key, viewed, err := vat.ReadView(r.Boxes.View("18A1"))
	require.NoError(t, err)
	require.Equal(t, r.Boxes, viewed)
	require.Equal(t, "18A1", key)
	for _, change := range [][2]string{
		{`"123456789"`, `"12345678"`}, {`"123456789"`, `"GB123456789"`}, {`2026-06-30`, `2026-03-31`}, {`, "totalAcquisitionsExVAT": 0.00`, ``},
		{`"vrn"`, `"vr"`}, {`105.50`, `"x"`}, {`2026-04-01`, `2026-04-31`},
	} {
		changed := strings.Replace(string(document), change[0], change[1], 1)
		require.NotEqual(t, string(document), changed)
		_, err := vat.ReadDocument([]byte(changed))
		require.ErrorIs(t, err, vat.ErrMalformed, change)
	}
}

func TestRegistrationNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"GB 123 4567 89": "123456789", "123456789": "123456789", "gb123-456-789": "123456789"} {
		got, ok := vat.VRN(text)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "GB12345678", "1234567890", "XI12345678A", "GBGB123456789"} {
		_, ok := vat.VRN(text)
		require.False(t, ok, text)
	}
}
