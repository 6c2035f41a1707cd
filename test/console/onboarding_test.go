package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// hostile is the name of a client that contains a script.
const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script> & Sons`

// client is an organization that is being onboarded.
type client struct{ id, key string }

// call sends a request that must succeed.
func call(t *testing.T, bed *testbed.Bed, c client, method, path, body string) map[string]any {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, bed.API.URL()+path, bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	request.Header.Set("X-API-KEY", c.key)
	request.Header.Set("x-organization-id", c.id)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var answer map[string]any
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	require.Equal(t, http.StatusOK, response.StatusCode, "%v", answer)
	return answer
}

// onboard makes a client and does its first n steps.
func onboard(t *testing.T, bed *testbed.Bed, name string, n int) client {
	t.Helper()
	body, err := json.Marshal(map[string]string{"name": name})
	require.NoError(t, err)
	made := call(t, bed, client{bed.OrganizationID, bed.APIKey}, "POST", "/v1/organizations", string(body))
	c := client{id: made["id"].(string)}
	if n >= 2 {
		c.key = call(t, bed, client{c.id, bed.APIKey}, "POST", "/v1/organizations/api_keys", "{}")["api_key"].(string)
	}
	for step := 3; step <= n; step++ {
		c.step(t, bed, step)
	}
	return c
}

// step does one of the steps 3 to 8.
func (c client) step(t *testing.T, bed *testbed.Bed, n int) {
	t.Helper()
	calls := map[int][2]string{
		3: {"/v1/organization_details/business_details",
			`{"entity_type":"LLC","incorporation_country":"US","company_country_code":"US","ein":"123456780"}`},
		4: {"/v1/organization_details/business_address",
			`{"company_country_code":"US","company_address_1":"350 5th Ave","company_city":"New York","company_state":"NY",` +
				`"company_postal_code":"10118"}`},
		5: {"/v1/organization_details/business_information",
			`{"business_phone":"+1 212 555 0100","business_email":"office@example.com",` +
				`"business_fiscal_year_end":"2026-12-31"}`},
		6: {"/v1/organization_details/business_contact",
			`{"business_contact_name":"Ada Example","business_contact_phone":"+1 212 555 0101",` +
				`"business_contact_email":"ada@example.com","business_contact_dob":"1980-05-17",` +
				`"business_contact_ssn":"123-45-6789","business_contact_dl":"D-7719",` +
				`"business_contact_address_1":"350 5th Ave","business_contact_city":"New York",` +
				`"business_contact_state":"NY","business_contact_postal_code":"10118","business_contact_country_code":"US"}`},
		7: {"/v1/organization_details/business_owners",
			`{"business_owner1_name":"Ada Example","business_owner1_percent_ownership":100}`},
		8: {"/v1/bank_details", `{"account_type":"CHECKING","routing_number":"021000021","account_number":"48151623420",` +
			`"account_holder_name":"Ada Example"}`},
	}
	call(t, bed, c, "PUT", calls[n][0], calls[n][1])
}

// isRefused sends step 5 without what it needs.
func (c client) isRefused(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	as := testbed.Caller{APIKey: c.key, OrganizationID: c.id}
	refused, err := bed.SendAs(t.Context(), as, bed.API, http.MethodPut, "/v1/organization_details/business_information",
		map[string]any{"business_phone": "+1 212 555 0100", "business_email": "nobody"}, "")
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, refused.Status, string(refused.Body))
}

// stepIs is the expression that a step of a client has a status on the page.
func stepIs(c client, step int, status string) string {
	return fmt.Sprintf(`document.querySelector('[data-id="%s"] [data-number="%d"]')?.dataset.status === '%s'`, c.id,
		step, status)
}

func TestAPartnerFollowsItsClients(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	done := onboard(t, bed, "Blue Heron Outfitters", 8)
	ended := onboard(t, bed, "Kestrel & Daughters", 3)
	call(t, bed, client{bed.OrganizationID, bed.APIKey}, "POST", "/v1/onboarding/"+ended.id+"/cancel",
		`{"reason":"went elsewhere"}`)
	enemy := onboard(t, bed, hostile, 1)
	c := onboard(t, bed, "Northwind Coffee Roasters", 4)

	b.do(chromedp.Navigate(bed.API.URL() + "/onboarding"))
	b.is(`location.pathname === '/sign-in' && location.search === '?next=%2Fonboarding'`)
	b.signInAs(bed)
	b.is(`document.querySelectorAll('#cards .card').length === 4`)
	b.is(`[...document.querySelectorAll('#cards .card')].every(card => card.querySelectorAll('.steps li').length === 8)`)
	b.is(stepIs(c, 4, "COMPLETED") + "&&" + stepIs(c, 5, "IN_PROGRESS") + "&&" + stepIs(done, 8, "COMPLETED"))
	b.is(stepIs(ended, 1, "COMPENSATED"))
	b.is(`document.querySelector('#summary').textContent === '4 clients, newest first'`)

	name, err := json.Marshal(hostile)
	require.NoError(t, err)
	b.is(fmt.Sprintf(`document.querySelector('[data-id="%s"] h2').textContent === %s`, enemy.id, name))
	b.is(`!document.querySelector('#cards img, #cards script') && document.title === 'Onboarding · Levy'`)

	// From here on the list cannot be read: only the stream shows changes.
	b.is(`document.querySelector('#pulse').dataset.state === 'live'`)
	b.is(`(window.mark = 'same page', window.realFetch = fetch, window.fetch = (path, ` +
		`...rest) => path.endsWith('/events') ? realFetch(path, ...rest) : new Promise(() => {}), true)`)
	c.step(t, bed, 5)
	b.is(stepIs(c, 5, "COMPLETED") + "&&" + stepIs(c, 6, "IN_PROGRESS"))
	b.is(`document.querySelector('#news').textContent.includes('Northwind Coffee Roasters')`)
	b.is(`window.mark === 'same page'`)
	b.accessible("onboardings")
	b.shot("desktop-light")
	b.prefers("dark")
	b.shot("desktop-dark")

	b.reload()
	b.is(`document.querySelectorAll('#cards .card').length === 4`)
	b.do(chromedp.SendKeys("#search", "heron"))
	b.is(`document.querySelectorAll('#cards .card').length === 1`)
	b.is(`sessionStorage.length === 0 && localStorage.length === 0 && document.cookie === ''`)
	b.click(".leave button")
	b.is(`location.pathname === '/sign-in'`)
}

// The board says that it is up to date once each card says how far its client is, also after the browser has told which
// cards are on screen.
func TestTheBoardIsUpToDateOnceItIsRead(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	address, _ := office(t, &calls{})
	b.beforePages(`(() => {
		const service = fetch, read = new Promise((done) => { window.answer = done; });
		const says = (answer) => new Response(JSON.stringify(answer));
		const client = { id: 'org_2', name: 'Client', parent_organization_id: 'org_1', onboarding_status: 'COMPLETED' };
		const steps = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({ number, status: 'COMPLETED' }));
		window.fetch = async (path, ...rest) => {
			if (path === '/v1/session') return says({ organizations: [{ organization_id: 'org_1', root: true }] });
			if (path.startsWith('/v1/organizations?')) return says({ items: [client], total: 2, pages: 1 });
			if (!path.startsWith('/v1/onboarding/')) return service(path, ...rest);
			await read;
			return says({ organization_id: 'org_2', status: 'COMPLETED', completed_steps: [], steps,
				updated_at: '2026-01-01T00:00:00Z' });
		};
	})()`)
	b.do(chromedp.Navigate(address + "/onboarding"))
	b.is(`document.querySelector('#cards .card') !== null`)
	// The observer of the page is told first: it was made before.
	b.is(`(new IntersectionObserver(() => { window.told = true; }).observe(document.querySelector('#cards .card')), true)`)
	b.is(`window.told && document.querySelector('#pulse').textContent === 'Loading…'`)
	b.is(`(window.answer(), true)`)
	b.is(`document.querySelector('#pulse').textContent === 'Up to date' && ` +
		`[...document.querySelectorAll('.card .word')].every(word => word.textContent !== '')`)
}

// A browser has few connections: two streams are open, the other clients of the page are polled, and a page has
// twelve clients.
func TestManyClientsAreShownInPages(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 3000)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	c := onboard(t, bed, "The first", 2)
	for n := range 12 {
		onboard(t, bed, fmt.Sprintf("Client %d", n), 1)
	}
	b.beforePages(`window.followed = new Set(); const realFetch = fetch; window.fetch = (path, ` +
		`...rest) => (path.endsWith('/events') && followed.add(path), realFetch(path, ...rest))`)
	b.signInAs(bed)
	b.is(`document.querySelectorAll('#cards .card').length === 12 && ` +
		`document.querySelector('#position').textContent === 'Page 1 of 2'`)
	b.is(`document.querySelectorAll('#cards [aria-current=step]').length === 12 && followed.size === 2`)
	b.shot("many")
	b.do(chromedp.Click("#next"))
	b.is(`document.querySelectorAll('#cards .card').length === 1 && document.querySelector('#next').disabled`)
	c.step(t, bed, 3)
	b.is(stepIs(c, 3, "COMPLETED"))
	b.do(chromedp.Click("#previous"))
	b.is(`document.querySelectorAll('#cards .card').length === 12`)
	newest := onboard(t, bed, "The newest", 1)
	b.is(fmt.Sprintf(`document.querySelector('#cards .card').dataset.id === '%s'`, newest.id))
}

func TestOnboardingsOnAPhone(t *testing.T) {
	t.Parallel()
	b := open(t, 360, 740)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	onboard(t, bed, "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", 1)
	c := onboard(t, bed, "Northwind Coffee Roasters", 4)
	const fits = `document.documentElement.scrollWidth <= innerWidth`

	b.prefers("dark")
	b.signInAs(bed)
	b.is(stepIs(c, 5, "IN_PROGRESS"))
	b.is(fits)
	b.shot("phone-dark")
	b.prefers("light")
	b.shot("phone-light")
	b.do(chromedp.SendKeys("#search", "no such client"))
	b.is(`!document.querySelector('#empty').hidden`)
	b.is(`document.querySelector('#empty').innerText.trim() === 'No clients match.'`)
	b.is(fits)
	b.shot("phone-empty")

	b.click(".leave button")
	b.enter(invited(bed, "client@example.com", "--name", "Cleo Client", "--organization", c.id, "--role", "viewer"))
	b.do(chromedp.Navigate(bed.API.URL() + "/onboarding"))
	b.is(`!document.querySelector('#stranger').hidden`)
}
