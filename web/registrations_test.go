package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Where a registration was made is said in words.
func TestWhereARegistrationWasMadeIsSaid(t *testing.T) {
	t.Parallel()
	body := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin,
		"GET /v1/registrations": `{"items":[
			{"id":"reg_1","country_code":"IE","state_code":"IE","registration_import_type":"OSS","status":"REGISTERED"},
			{"id":"reg_2","country_code":"US","state_code":"OH","registration_import_type":"SST","status":"REGISTERED"},
			{"id":"reg_3","country_code":"US","state_code":"NY","registration_import_type":"REGULAR","status":"REGISTERED"}]}`,
	}, "/o/org_1/registrations", nil).Body.String()
	require.Contains(t, body, ">One-stop shop</span>")
	require.Contains(t, body, ">Streamlined Sales Tax</span>")
	require.NotContains(t, body, "Regular")
}
