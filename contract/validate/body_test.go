package validate

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"levy/contract/problem"

	"github.com/stretchr/testify/require"
)

// edit is a transaction with one field set.
func edit(name string, value any) string { return saleBody(map[string]any{name: value}) }

func address(kind string) map[string]any { return map[string]any{"type": kind} }

func repeat(n int, value any) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = value
	}
	return list
}

func TestBodyMustBeOneStrictJSONObject(t *testing.T) {
	t.Parallel()
	valid := saleBody(nil)
	nested := func(depth int) string {
		return strings.Replace(valid, "{", `{"unknown":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+",", 1)
	}
	for name, body := range map[string]string{
		"A-01 empty":                 "",
		"A-01 null":                  "null",
		"A-01 list":                  "[]",
		"A-01 text":                  `""`,
		"A-01 number":                "123",
		"A-01 truncated":             valid[:len(valid)-1],
		"A-01 single quotes":         strings.ReplaceAll(valid, `"`, "'"),
		"A-01 comment":               strings.Replace(valid, "{", "{/*x*/", 1),
		"A-01 trailing comma":        valid[:len(valid)-1] + ",}",
		"A-01 trailing comma list":   strings.Replace(valid, "{", `{"x":[1,],`, 1),
		"A-01 byte order mark":       "\xef\xbb\xbf" + valid,
		"A-01 UTF-16":                "\xff\xfe{\x00}\x00",
		"A-02 two values":            valid + valid,
		"A-02 garbage after":         valid + "x",
		"A-03 nesting 33":            nested(32),
		"A-03 nesting 1000":          nested(1000),
		"A-03 nesting a million":     nested(500_000),
		"A-03 only brackets":         strings.Repeat("[", 1_000_000),
		"A-08 equal keys":            strings.Replace(valid, "{", `{"type":"SALE",`, 1),
		"A-08 equal after unescape":  strings.Replace(valid, "{", `{"t\u0079pe":"SALE",`, 1),
		"A-08 equal up to case":      strings.Replace(valid, "{", `{"TYPE":"SALE",`, 1),
		"A-08 equal Kelvin sign":     strings.Replace(valid, "{", `{"k":1,"`+"\u212a"+`":2,`, 1),
		"A-08 equal when unknown":    strings.Replace(valid, "{", `{"x":{"a":1,"A":2},`, 1),
		"A-13 NaN":                   strings.Replace(valid, "100.00", "NaN", 1),
		"A-13 Infinity":              strings.Replace(valid, "100.00", "-Infinity", 1),
		"A-13 plus":                  strings.Replace(valid, "100.00", "+1", 1),
		"A-13 leading zero":          strings.Replace(valid, "100.00", "012", 1),
		"A-13 bare point":            strings.Replace(valid, "100.00", ".5", 1),
		"A-23 NUL escaped":           strings.Replace(valid, "ORDER-1", `\u0000`, 1),
		"A-23 NUL in unknown":        strings.Replace(valid, "{", `{"x":"\u0000",`, 1),
		"A-23 NUL raw":               strings.Replace(valid, "ORDER-1", "\x00", 1),
		"A-24 invalid UTF-8":         strings.Replace(valid, "ORDER-1", "\xff", 1),
		"A-24 overlong UTF-8":        strings.Replace(valid, "ORDER-1", "\xc0\xaf", 1),
		"A-24 surrogate as UTF-8":    strings.Replace(valid, "ORDER-1", "\xed\xa0\x80", 1),
		"A-24 lone high surrogate":   strings.Replace(valid, "ORDER-1", `\ud83d`, 1),
		"A-24 lone low surrogate":    strings.Replace(valid, "ORDER-1", `\ude00`, 1),
		"A-24 reversed surrogates":   strings.Replace(valid, "ORDER-1", `\ude00\ud83d`, 1),
		"A-24 lone in a key":         strings.Replace(valid, "{", `{"\ud83d":1,`, 1),
		"A-26 raw control character": strings.Replace(valid, "ORDER-1", "a\x1bb", 1),
		"unknown escape":             strings.Replace(valid, "ORDER-1", `\x41`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			code, _ := answerOf(t, b.send("POST", "/v1/transactions", body))
			require.Equal(t, "invalid_json", code)
			require.Nil(t, b.bound.body)
		})
	}
	t.Run("nesting 32 is accepted", func(t *testing.T) {
		t.Parallel()
		code, faults := answerOf(t, setup(t).send("POST", "/v1/transactions", nested(31)))
		require.Empty(t, code, "%v", faults)
	})
	t.Run("equal keys name their kind", func(t *testing.T) {
		t.Parallel()
		_, faults := answerOf(t, setup(t).send("POST", "/v1/transactions", `{"type":1,"Type":2}`))
		require.Equal(t, []string{"duplicate_key body"}, faults)
	})
}

func TestABodyWithManyKeysIsReadQuickly(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 60_000 {
		if i > 0 {
			many.WriteByte(',')
		}
		many.WriteString(`"k` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + jsonInt(i) + `":1`)
	}
	b := setup(t)
	code, faults := answerOf(
		t, b.send("POST", "/v1/transactions", strings.Replace(saleBody(nil), "{", "{"+many.String()+",", 1)),
	)
	require.Empty(t, code, "%v", faults)
	require.NotContains(t, string(b.bound.body), "kx")
}

func jsonInt(n int) string { raw, _ := json.Marshal(n); return string(raw) }

func TestFieldFaults(t *testing.T) {
	t.Parallel()
	money := func(literal string) string { return edit("item.amount", json.Number(literal)) }
	rate := func(literal string) string { return edit("tax_rate_imported", json.Number(literal)) }
	date := func(value any) string { return edit("date", value) }
	const amount, when = "body.transaction_items[0].amount", "body.date"
	for name, row := range map[string]struct {
		body string
		want string // one fault; "" = accepted
	}{
		"A-07 no items": {edit("transaction_items", []any{}), "too_few body.transaction_items"},
		"A-07 five addresses": {
			edit("addresses", []any{
				address("SHIP_TO"), address("BILL_TO"), address("SHIP_FROM"), address("BILL_FROM"),
				address("SHIP_TO"),
			}),
			"too_many body.addresses",
		},
		"A-07 no addresses": {edit("addresses", []any{}), ""},
		"address type twice": {
			edit("addresses", repeat(2, map[string]any{"type": "SHIP_TO"})),
			"duplicate_value body.addresses[1].type",
		},
		"A-10 number for text":    {edit("external_id", 12), "invalid_type body.external_id"},
		"A-10 text for boolean":   {edit("marketplace", "true"), "invalid_type body.marketplace"},
		"A-10 object for list":    {edit("addresses", map[string]any{}), "invalid_type body.addresses"},
		"A-10 list for object":    {edit("customer", []any{}), "invalid_type body.customer"},
		"A-10 text for money":     {edit("item.amount", "12.50"), ""},
		"A-10 null optional":      {edit("total_amount", json.RawMessage("null")), ""},
		"A-10 null required":      {edit("type", json.RawMessage("null")), "missing_field body.type"},
		"A-10 null in a list":     {edit("addresses", []any{nil}), "invalid_type body.addresses[0]"},
		"A-10 boolean for money":  {edit("item.amount", true), "invalid_type " + amount},
		"A-11 missing":            {edit("customer", nil), "missing_field body.customer"},
		"A-11 empty":              {edit("external_id", ""), "missing_field body.external_id"},
		"A-11 blank":              {edit("external_id", " \t\u00a0\u2003"), "missing_field body.external_id"},
		"A-11 nested missing":     {edit("customer.external_id", ""), "missing_field body.customer.external_id"},
		"empty optional enum":     {edit("currency", ""), ""},
		"empty optional format":   {edit("customer.email", ""), ""},
		"empty optional boolean":  {edit("marketplace", ""), "invalid_type body.marketplace"},
		"A-12 255 characters":     {edit("external_id", strings.Repeat("ü", 255)), ""},
		"A-12 256 characters":     {edit("external_id", strings.Repeat("x", 256)), "too_long body.external_id"},
		"A-12 2705 characters":    {edit("external_id", strings.Repeat("x", 2705)), "too_long body.external_id"},
		"A-13 large exponent":     {money("1e400"), "invalid_format " + amount},
		"A-13 small exponent":     {money("1e-400"), "invalid_format " + amount},
		"A-13 absurd exponent":    {money("1E1000000000"), "invalid_format " + amount},
		"A-13 33 characters":      {money("0." + strings.Repeat("0", 31)), "invalid_format " + amount},
		"A-13 32 characters":      {money("0." + strings.Repeat("0", 30)), ""},
		"A-13 NaN as text":        {edit("item.amount", "NaN"), "invalid_format " + amount},
		"A-13 plus as text":       {edit("item.amount", "+1"), "invalid_format " + amount},
		"A-13 zeros as text":      {edit("item.amount", "012"), "invalid_format " + amount},
		"A-13 space as text":      {edit("item.amount", " 1"), "invalid_format " + amount},
		"A-14 minus zero":         {money("-0.00"), ""},
		"A-15 largest":            {money("9999999999.99"), ""},
		"A-15 too large":          {money("10000000000.00"), "out_of_range " + amount},
		"A-15 20 digits":          {money("12345678901234567890"), "out_of_range " + amount},
		"A-15 exponent too large": {money("1e10"), "out_of_range " + amount},
		"A-16 three decimals":     {money("10.001"), "too_precise " + amount},
		"A-16 half a cent":        {money("0.005"), "too_precise " + amount},
		"A-16 float noise":        {money("19.990000000000002"), ""},
		"A-16 noise as text":      {edit("item.amount", "19.990000000000002"), "too_precise " + amount},
		"A-16 noise of a rate":    {rate("0.08250000000000001"), "too_precise body.tax_rate_imported"},
		"A-16 no noise":           {money("19.9900001"), "too_precise " + amount},
		"A-16 noise too large":    {money("9999999999.9999999999"), "out_of_range " + amount},
		"A-16 trailing zeros":     {money("10.100"), ""},
		"A-16 rate 9 decimals":    {rate("0.123456789"), ""},
		"A-16 rate 10 decimals":   {rate("0.1234567891"), "too_precise body.tax_rate_imported"},
		"A-16 zero rate":          {edit("tax_rate_imported", "0E-9"), ""},
		"quantity of 19 digits":   {edit("item.quantity", json.Number("1234567890.123456789")), ""},
		"quantity beyond": {
			edit("item.quantity", json.Number("123456789012.123456789")),
			"too_precise body.transaction_items[0].quantity",
		},
		"A-17 negative sale": {edit("total_amount", -1), "out_of_range body.total_amount"},
		"A-17 zero sale":     {edit("total_amount", 0), ""},
		"A-17 negative line": {money("-5"), ""},
		"A-17 negative credit": {
			saleBody(map[string]any{"type": "TAX_REFUND", "related_to": "txn_1", "total_amount": -1}), "",
		},
		"negative quantity": {edit("item.quantity", "-1"), "out_of_range body.transaction_items[0].quantity"},
		"zero quantity":     {edit("item.quantity", 0), ""},
		"A-18 thousandths": {
			saleBody(map[string]any{"currency": "KWD", "item.amount": json.Number("1.234")}),
			"too_precise " + amount,
		},
		"A-19 lower case":        {edit("currency", "usd"), "invalid_enum body.currency"},
		"A-19 unknown currency":  {edit("currency", "XXX"), "invalid_enum body.currency"},
		"A-20 UK":                {edit("address.country", "UK"), "invalid_enum body.addresses[0].country"},
		"A-20 us":                {edit("address.country", "us"), "invalid_enum body.addresses[0].country"},
		"A-20 Kosovo":            {edit("address.country", "XK"), ""},
		"A-20 European Union":    {edit("address.country", "ZZ_EU"), ""},
		"A-21 unknown type":      {edit("type", "GIFT"), "invalid_enum body.type"},
		"A-21 numeric enum":      {edit("status", 1), "invalid_type body.status"},
		"A-21 blank enum":        {edit("status", " "), "invalid_enum body.status"},
		"source of the operator": {edit("source", "WEBSHOP"), ""},
		"source unknown":         {edit("source", "SHOPSYS"), "invalid_enum body.source"},
		"A-25 any text":          {edit("description", "\u202e\u200b😀e\u0301\u0415"), ""},
		"A-26 harmless syntax":   {edit("description", "\u001b[31m {{x}} ${jndi:x} =cmd()"), ""},
		"A-27 no leap year":      {date("2023-02-29T00:00:00Z"), "invalid_format " + when},
		"A-27 leap year":         {date("2024-02-29T00:00:00Z"), ""},
		"A-27 month 13":          {date("2024-13-01T00:00:00Z"), "invalid_format " + when},
		"A-27 24:00":             {date("2024-01-01T24:00:00Z"), "invalid_format " + when},
		"A-27 second 60":         {date("2024-01-01T00:00:60Z"), "invalid_format " + when},
		"A-27 short":             {date("2024-1-1"), "invalid_format " + when},
		"A-27 bare date":         {date("2024-01-01"), "invalid_format " + when},
		"A-27 number":            {date(1704067200), "invalid_type " + when},
		"A-27 offset too large":  {date("2024-01-01T00:00:00+14:01"), "invalid_format " + when},
		"A-27 offset":            {date("2024-01-01T00:00:00-14:00"), ""},
		"A-27 no offset":         {date("2024-01-01T00:00:00"), ""},
		"A-27 lower case":        {date("2024-01-01t00:00:00z"), "invalid_format " + when},
		"A-27 comma fraction":    {date("2024-01-01T00:00:00,5Z"), "invalid_format " + when},
		"A-27 nine digits":       {date("2024-01-01T00:00:00.123456789Z"), ""},
		"A-27 ten digits":        {date("2024-01-01T00:00:00.1234567891Z"), "invalid_format " + when},
		"A-28 year 0":            {date("0000-01-01T00:00:00Z"), "out_of_range " + when},
		"A-28 year 1":            {date("0001-01-01T00:00:00Z"), "out_of_range " + when},
		"A-28 year 1800":         {date("1800-01-01T00:00:00Z"), "out_of_range " + when},
		"A-28 year 2101":         {date("2101-01-01T00:00:00Z"), "out_of_range " + when},
		"A-28 year 10000":        {date("10000-01-01T00:00:00Z"), "invalid_format " + when},
		"A-28 UTC beyond 9999":   {date("9999-12-31T23:59:59-12:00"), "out_of_range " + when},
		"A-28 366 days ahead":    {date("2027-06-02T12:00:00Z"), ""},
		"A-28 more ahead":        {date("2027-06-02T12:00:01Z"), "out_of_range " + when},
		"A-28 before 1990":       {date("1989-12-31T23:59:59Z"), "out_of_range " + when},
		"A-28 item date": {
			edit("item.date", "1989-12-31T23:59:59Z"), "out_of_range body.transaction_items[0].date",
		},
		"shop date":               {edit("shop_date", "2026-05-16"), ""},
		"shop date far":           {edit("shop_date", "2026-05-17"), "mismatch body.shop_date"},
		"shop date nonsense":      {edit("shop_date", "yesterday"), "invalid_format body.shop_date"},
		"time zone":               {edit("shop_date_tz", "America/New_York"), ""},
		"time zone unknown":       {edit("shop_date_tz", "Mars/Base"), "invalid_format body.shop_date_tz"},
		"time zone path":          {edit("shop_date_tz", "../etc/passwd"), "invalid_format body.shop_date_tz"},
		"time zone by a detour":   {edit("shop_date_tz", "America//New_York"), "invalid_format body.shop_date_tz"},
		"time zone of a folder":   {edit("shop_date_tz", "./America/New_York"), "invalid_format body.shop_date_tz"},
		"e-mail":                  {edit("customer.email", "ada@example.com"), ""},
		"e-mail without domain":   {edit("customer.email", "ada@example"), "invalid_format body.customer.email"},
		"e-mail of two at":        {edit("customer.email", "a@b@example.com"), "invalid_format body.customer.email"},
		"phone":                   {edit("address.phone", "+1 (212) 555-0100"), ""},
		"phone short":             {edit("address.phone", "123456"), "invalid_format body.addresses[0].phone"},
		"phone letters":           {edit("address.phone", "1-800-LETTERS"), "invalid_format body.addresses[0].phone"},
		"credit without original": {edit("type", "FULL_CREDIT_NOTE"), "missing_field body.related_to"},
		"exemption by id":         {edit("exemptions", []any{map[string]any{"id": "exmp_1"}}), ""},
		"exemption of no kind": {
			edit("exemptions", []any{map[string]any{"reseller": true}}),
			"missing_field body.exemptions[0].exemption_type",
		},
		"exemption expired": {
			edit("requires_exemption", map[string]any{"exemption_type": "customer", "status": "EXPIRED"}),
			"not_allowed body.requires_exemption.status",
		},
		"exemption backwards": {
			edit("requires_exemption", map[string]any{
				"exemption_type": "customer", "start_date": "2026-02-01", "end_date": "2026-01-31",
			}),
			"mismatch body.requires_exemption.end_date",
		},
		"negative discount": {
			edit("item.discount_builder", map[string]any{"applied_to": "TRANSACTION", "discount_amount": -1}),
			"out_of_range body.transaction_items[0].discount_builder.discount_amount",
		},
		"too many tax items": {
			edit("item.tax_items", repeat(51, map[string]any{"rate": 0, "amount": 0, "name": "x"})),
			"too_many body.transaction_items[0].tax_items",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			code, faults := answerOf(t, b.send("POST", "/v1/transactions", row.body))
			if row.want == "" {
				require.Empty(t, code, "%v", faults)
				require.True(t, json.Valid(b.bound.body))
				return
			}
			require.Equal(t, "validation_failed", code)
			require.Equal(t, []string{row.want}, faults)
		})
	}
}

func TestAllFaultsComeTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := saleBody(map[string]any{
		"external_id": nil, "type": "GIFT", "item.amount": json.Number("1.001"), "customer.email": "x",
		"total_amount": []any{},
	})
	_, faults := answerOf(t, b.send("POST", "/v1/transactions", body))
	require.ElementsMatch(t, []string{
		"missing_field body.external_id", "invalid_enum body.type", "too_precise body.transaction_items[0].amount",
		"invalid_format body.customer.email", "invalid_type body.total_amount",
	}, faults)

	items := repeat(1001, map[string]any{})
	r := b.send("POST", "/v1/transactions", edit("transaction_items", items))
	_, faults = answerOf(t, r)
	require.Len(t, faults, problem.MaxFieldErrors)
	require.Equal(t, "too_many body.transaction_items", faults[0])
	require.Contains(t, r.Body.String(), `"errors_truncated":true`)
}

func TestAnswersNeverRepeatValues(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-value"
	for _, body := range []string{
		edit("type", secret), edit("date", secret), edit("item.amount", secret), edit("customer.email", secret),
		edit("address.phone", secret), edit("shop_date_tz", secret), `{"` + secret + `":1,"` + secret + `":2}`,
		`{"external_id":"` + secret + `"`, edit("external_id", strings.Repeat(secret, 30)),
	} {
		r := setup(t).send("POST", "/v1/transactions", body)
		require.Equal(t, http.StatusBadRequest, r.Code)
		require.NotContains(t, r.Body.String(), secret)
	}
}

func TestUnknownFieldsAreNotBound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := strings.Replace(
		saleBody(nil), "{",
		`{"__proto__":{"x":1},"Description":"no","id":"txn_x","processing_status":"PROCESSED","locked":true,`+
			`"organization_id":"org_x","created_at":1,`,
		1,
	)
	code, faults := answerOf(t, b.send("POST", "/v1/transactions", body))
	require.Empty(t, code, "%v", faults)
	for _, name := range []string{
		"__proto__", "escription", "processing_status", "locked", "organization_id", "created_at", `"id"`,
	} {
		require.NotContains(t, string(b.bound.body), name)
	}
}

func TestOtherBodies(t *testing.T) {
	t.Parallel()
	filing := func(more string) string {
		return `{"registration_id":"regs_1","status":"UNFILED","start_date":"2026-01-01","end_date":"2026-01-31",` +
			`"country_code":"US","state_code":"NY"` + more + `}`
	}
	for name, row := range map[string]struct {
		method, path, body string
		want               string // one fault
		bound              string
	}{
		"key without a body":       {"POST", "/v1/api-keys", "", "", ""},
		"key with an empty object": {"POST", "/v1/organizations/api_keys", "{}", "", "{}"},
		"key that ended": {
			"POST", "/v1/api-keys", `{"expires_at":"2026-06-01T11:59:59Z"}`, "out_of_range body.expires_at", "",
		},
		"key that ended in seconds": {
			"POST", "/v1/api-keys", `{"expires_at_seconds":1}`, "out_of_range body.expires_at_seconds", "",
		},
		"key with both ends": {
			"POST", "/v1/api-keys", `{"expires_at":"2027-01-01T00:00:00Z","expires_at_seconds":1830297600}`,
			"not_allowed body.expires_at_seconds", "",
		},
		"key with seconds": {
			"POST", "/v1/api-keys", `{"expires_at_seconds":1.8302976e9}`, "",
			`{"expires_at_seconds":1830297600}`,
		},
		"key with half a second": {
			"POST", "/v1/api-keys", `{"expires_at_seconds":1830297600.5}`, "too_precise body.expires_at_seconds",
			"",
		},
		"metadata": {
			"POST", "/v1/api-keys", `{"metadata":{"a":[1,{"b":null}]}}`, "", `{"metadata":{"a":[1,{"b":null}]}}`,
		},
		"metadata too large": {
			"POST", "/v1/api-keys", `{"metadata":{"a":"` + strings.Repeat("x", 4096) + `"}}`,
			"too_long body.metadata", "",
		},
		"metadata absurd number": {
			"POST", "/v1/api-keys", `{"metadata":{"\"a":1e131071}}`, "out_of_range body.metadata", "",
		},
		"metadata of another type": {"POST", "/v1/api-keys", `{"metadata":[]}`, "invalid_type body.metadata", ""},
		"organization": {
			"POST", "/v1/organizations", `{"name":"Acme"}`, "",
			`{"name":"Acme","disable_emails":false,"is_test":true,"source":"PARTNER"}`,
		},
		"organization unnamed": {"POST", "/v1/organizations", `{"name":"  "}`, "missing_field body.name", ""},
		"organization long name": {
			"POST", "/v1/organizations", `{"name":"` + strings.Repeat("x", 201) + `"}`, "too_long body.name", "",
		},
		"product category": {
			"POST", "/v1/products", `{"external_id":"P","name":"N","product_category":"Physical"}`, "",
			`{"external_id":"P","name":"N","product_category":"Physical","source":"OTHER","status":"APPROVED",` +
				`"tax_exempt":false}`,
		},
		"product category unknown": {
			"POST", "/v1/products", `{"external_id":"P","name":"N","product_category":"Boats"}`,
			"invalid_category body.product_category", "",
		},
		"product sku empty": {
			"POST", "/v1/products",
			`{"external_id":"P","name":"N","product_category":"Physical","sku":["a",""]}`,
			"too_short body.sku[1]", "",
		},
		"filing unnamed":        {"POST", "/v1/filings", filing(`,"state_name":null`), "", filing("")},
		"filing without a name": {"POST", "/v1/filings", filing(""), "missing_field body.state_name", ""},
		"filing of no state": {
			"POST", "/v1/filings", strings.Replace(filing(`,"state_name":null`), `"NY"`, "null", 1),
			"missing_field body.state_code", "",
		},
		"update hands on null": {
			"PUT", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3",
			`{"description":null,"sku":null,"status":"PENDING"}`, "",
			`{"description":null,"sku":null,"status":"PENDING"}`,
		},
		"update with null for what has no effect": {
			"PUT", "/v1/transactions/txn_01jx4m0q5tb7cyd2f6g8h9j1k3/credit_notes/txn_01jx4m0q5tb7cyd2f6g8h9j1k4",
			`{"type":null}`, "", `{"type":null}`,
		},
		"update of empty texts": {
			"PUT", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3", `{"description":"","name":""}`, "", `{}`,
		},
		"update clears no name": {
			"PUT", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3", `{"name":null}`, "missing_field body.name",
			"",
		},
		"update with a blank name": {
			"PUT", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3", `{"name":" "}`, "missing_field body.name", "",
		},
		"update with a blank identifier": {
			"PUT", "/v1/customers/cust_01jx4m0q5tb7cyd2f6g8h9j1k3", `{"external_id":"\u00a0"}`,
			"missing_field body.external_id", "",
		},
		"update with space around an identifier": {
			"PUT", "/v1/customers/cust_01jx4m0q5tb7cyd2f6g8h9j1k3", `{"external_id":"\u00a0C-1 "}`, "", `{"external_id":"C-1"}`,
		},
		"delete reads no body": {"DELETE", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3", `nonsense`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			code, faults := answerOf(t, b.send(row.method, row.path, row.body))
			if row.want != "" {
				require.Equal(t, []string{row.want}, faults)
				return
			}
			require.Empty(t, code, "%v", faults)
			if row.bound == "" {
				require.Empty(t, b.bound.body)
				return
			}
			require.JSONEq(t, row.bound, string(b.bound.body))
		})
	}
}

// The message about a text that is too short says how long it has to be.
func TestATextThatIsTooShort(t *testing.T) {
	t.Parallel()
	require.Equal(t, "At least 12 characters are needed.", messageOf(t, "PUT", "/v1/session/password", `{"password":"short"}`))
}
