package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

const viewsPath = "/v1/session/views"

func (v *visitor) views() (views []string) {
	v.t.Helper()
	var list struct {
		Items []struct{ List, Name, Query string }
	}
	require.NoError(v.t, json.Unmarshal(v.send("GET", viewsPath, "", "").Body.Bytes(), &list))
	for _, each := range list.Items {
		views = append(views, each.List+" "+each.Name+" "+each.Query)
	}
	return views
}

// viewsAreSaved checks that a person saves a filter under a name by a form and finds it next to the common views. Other
// people do not. An invalid filter is refused, and the number of views is limited.
func viewsAreSaved(t *testing.T, v, other *visitor) {
	t.Helper()
	form := func(list, name string, rest ...string) url.Values {
		values := url.Values{"list": {list}, "name": {name}}
		for i := 0; i < len(rest); i += 2 {
			values.Set(rest[i], rest[i+1])
		}
		return values
	}
	sent := func(values url.Values) (status int, to string) {
		answer := v.send("POST", "/views", "", values.Encode())
		return answer.Code, answer.Header().Get("Location")
	}
	const texas = "due_days__lte=-1&state_code=TX"
	status, to := sent(form("filings", "Late <b>Texas</b>", "query", "state_code=TX&due_days__lte=-1"))
	require.Equal(t, http.StatusSeeOther, status)
	require.Equal(t, "/filings?due_days__lte=-1&state_code=TX&status__in=", to)
	page := v.send("GET", to, "", "").Body.String()
	require.Contains(t, page, `<a href="?due_days__lte=-1&amp;state_code=TX&amp;status__in=" aria-current="true"><bdi>Late `+
		`&lt;b&gt;Texas&lt;/b&gt;</bdi></a>`)
	require.NotContains(t, other.send("GET", "/filings", "", "").Body.String(), "Late &lt;b", "it belongs to the person")
	require.Equal(t, []string{"filings Late <b>Texas</b> " + texas}, v.views())

	status, _ = sent(form("filings", "late <B>texas</B>", "new_name", "Texas", "action", "rename"))
	require.Equal(t, http.StatusSeeOther, status)
	for list, query := range map[string]string{"exceptions": "age_days__gte=7", "clients": "next_step__in=5",
		"transactions": "order_by=-total_amount"} {
		status, to = sent(form(list, "Texas", "query", query, "organization_id", "org_1"))
		require.Equal(t, http.StatusSeeOther, status, list)
		require.Contains(t, to, url.PathEscape(list))
		require.Contains(t, to, query)
	}
	require.Len(t, v.views(), 4, "each list has names of its own")
	require.Contains(t, v.send("GET", "/exceptions", "", "").Body.String(), `<a href="?age_days__gte=7"><bdi>Texas</bdi></a>`)

	for body, says := range map[string]string{
		`{"list":"filings","name":"A","query":"statsu=OPEN&due_date__gte=2026-02-30&page=2"}`: `body.query`,
		`{"list":"filings","name":"A","query":"status__in=SOLD"}`:                             `status__in`,
		`{"list":"filings","name":"A","query":"%zz"}`:                                         `invalid_format`,
		`{"list":"customers","name":"A","query":"state_code=UT"}`:                             `body.list`,
		`{"list":"filings","name":" ","query":"state_code=UT"}`:                               `body.name`,
		`{"list":"filings","name":"A"}`:                                                       `body.query`,
		`{"list":"filings","name":"A","query":""}`:                                            `body.query`,
		`{"list":"filings","name":"A","query":"state_code=UT","new_name":"B"}`:                `body.new_name`,
	} {
		refused := v.send("PUT", viewsPath, "", body)
		require.Equal(t, http.StatusBadRequest, refused.Code, body)
		require.Contains(t, refused.Body.String(), says, body)
	}
	require.Equal(t, 3, strings.Count(v.send("PUT", viewsPath, "",
		`{"list":"filings","name":"A","query":"statsu=OPEN&due_date__gte=2026-02-30&page=2"}`).
		Body.String(), `"location":"body.query"`), "all that is wrong at once")
	require.Equal(t, http.StatusNotFound,
		v.send("PUT", viewsPath, "", `{"list":"filings","name":"Utah","new_name":"B"}`).Code)
	v.site = "cross-site"
	require.Equal(t, http.StatusForbidden,
		v.send("POST", "/views", "", form("filings", "Evil", "query", "state_code=UT").Encode()).Code)
	v.site = "same-origin"

	// Concurrent requests save no more views than the limit.
	var all sync.WaitGroup
	for i := range models.MaxSavedViews {
		all.Go(func() {
			status, _ := sent(form("filings", fmt.Sprint("View ", i), "query", "state_code=UT"))
			require.Contains(t, []int{http.StatusSeeOther, http.StatusConflict}, status)
		})
	}
	all.Wait()
	require.Len(t, v.views(), models.MaxSavedViews)
	require.Contains(t, v.send("GET", "/filings", "", "").Body.String(), "You have reached the limit of 20 views")
	require.Contains(t, v.send("PUT", viewsPath, "",
		`{"list":"filings","name":"One more","query":"state_code=UT"}`).Body.String(), `"saved_view_limit_reached"`)
	require.Equal(t, http.StatusOK,
		v.send("PUT", viewsPath, "",
			`{"list":"filings","name":"texas","query":"state_code=TX"}`).Code, "the name exists already")
	for range 2 {
		status, _ = sent(form("filings", "Texas", "action", "remove"))
		require.Equal(t, http.StatusSeeOther, status)
	}
	require.Len(t, v.views(), models.MaxSavedViews-1)
	require.Equal(t, http.StatusOK,
		v.send("PUT", viewsPath, "", `{"list":"filings","name":"Utah","query":"state_code=UT"}`).Code)
	require.Equal(t, http.StatusOK,
		v.send("PUT", viewsPath, "", `{"list":"clients","name":"Texas","new_name":"Stuck"}`).Code)
	require.Equal(t, http.StatusOK,
		v.send("PUT", viewsPath, "", `{"list":"clients","name":"STUCK","new_name":"Stuck"}`).Code)
	taken := strings.Fields(v.views()[3])[2]
	require.Contains(t, v.send("PUT", viewsPath, "",
		`{"list":"filings","name":"Utah","new_name":"VIEW `+taken+`"}`).Body.String(), `"duplicate_name"`)
}
