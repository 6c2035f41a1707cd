package api_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service"
	"levy/service/limit"
)

// person invites a person to the root organization, signs in without HTTP and returns the token of the session.
func (in *installation) person(email, role string) (token string) {
	in.t.Helper()
	invited := in.do(in.root, "POST", "/v1/users", `{"email":"`+email+`","name":"Vi","role":"`+role+`"}`).expect(200)
	visitor, err := in.server.Service().Visitor(in.t.Context())
	require.NoError(in.t, err)
	_, link, _ := strings.Cut(invited.text("sign_in_path"), "/sign-in/")
	_, err = visitor.SignIn(in.t.Context(), contract.SignInRequest{
		Body: contract.SignIn{Token: link, Password: "a password of many words"},
	})
	require.NoError(in.t, err)
	return visitor.Outcome().SessionBegun
}

// page admits the person of a session to a page.
func (in *installation) page(token string) contract.CallerSession {
	in.t.Helper()
	session, err := in.server.Service().Person(in.t.Context(), token)
	require.NoError(in.t, err)
	in.t.Cleanup(session.Close)
	return session
}

// requireCode requires that a call was refused with a code.
func requireCode(t *testing.T, code problem.Code, err error) {
	t.Helper()
	require.Error(t, err)
	refused := problem.Of(err)
	require.NotNil(t, refused, err)
	require.Equal(t, code, refused.Code)
}

// A page counts as one call, however many operations it carries out.
func TestAPageCountsAsOneCall(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) {
		o.Limits = limit.Config{Rate: models.RateLimit{PerMinute: 1, Burst: 1}}
	})
	require.NoError(t, in.store.Organizations.SetRateLimit(t.Context(), models.Scope{OrganizationID: in.root.organizationID},
		models.Actor{}, &models.RateLimit{PerMinute: 1000, Burst: 1000}))
	who := in.person("vi@example.com", "admin")
	page := in.page(who)
	for range 5 {
		_, err := page.In(t.Context(), in.root.organizationID).ListProducts(t.Context(), contract.ListProductsRequest{})
		require.NoError(t, err)
		_, err = page.GetSession(t.Context(), contract.GetSessionRequest{})
		require.NoError(t, err)
	}
	_, err := in.server.Service().Person(t.Context(), who)
	requireCode(t, problem.CodeRateLimited, err)
}

// A session about an organization is refused whatever its caller does not reach, and what its role does not include.
func TestASessionAboutAnOrganizationIsRefusedAsOverHTTP(t *testing.T) {
	t.Parallel()
	in := install(t)
	ctx := t.Context()
	client, archived := in.client("Client"), in.client("Archived")
	in.do(in.root, "DELETE", "/v1/organizations/"+archived.organizationID, "").expect(204)
	page := in.page(in.person("vi@example.com", "viewer"))

	own, err := page.In(ctx, in.root.organizationID).ListProducts(ctx, contract.ListProductsRequest{})
	require.NoError(t, err)
	require.Empty(t, own.Items)
	_, err = page.In(ctx, client.organizationID).ListFilings(ctx, contract.ListFilingsRequest{})
	require.NoError(t, err)
	for _, unreachable := range []string{models.NewID(models.PrefixOrganization), "org_1", archived.organizationID} {
		_, err := page.In(ctx, unreachable).ListProducts(ctx, contract.ListProductsRequest{})
		requireCode(t, problem.CodeOrganizationNotFound, err)
	}
	_, err = page.ListProducts(ctx, contract.ListProductsRequest{})
	requireCode(t, problem.CodeOrganizationHeaderMissing, err)
	_, err = page.In(ctx, in.root.organizationID).CreateProduct(ctx, contract.CreateProductRequest{Body: contract.ProductCreate{
		ExternalID: "P-1", Name: "Widget", ProductCategory: "PHYSICAL",
	}})
	requireCode(t, problem.CodeForbiddenForKey, err)

	visitor, err := in.server.Service().Visitor(ctx)
	require.NoError(t, err)
	_, err = visitor.GetSession(ctx, contract.GetSessionRequest{})
	require.ErrorIs(t, err, models.ErrUnauthenticated)
	_, err = visitor.In(ctx, in.root.organizationID).ListProducts(ctx, contract.ListProductsRequest{})
	require.ErrorIs(t, err, models.ErrUnauthenticated)
	_, err = in.server.Service().Person(ctx, "ended")
	require.ErrorIs(t, err, models.ErrUnauthenticated)
}

// A form that is sent twice changes records once and has the answer of the first time. Other input is another request.
func TestAFormThatIsSentTwiceChangesRecordsOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	ctx := t.Context()
	who := in.person("vi@example.com", "admin")
	page := in.page(who).In(ctx, in.root.organizationID)
	send := func(form, externalID string) (contract.Product, bool) {
		session := in.page(who).In(ctx, in.root.organizationID).WithForm(form)
		_, err := session.ListProducts(ctx, contract.ListProductsRequest{}) // reads have no key
		require.NoError(t, err)
		product, err := session.CreateProduct(ctx, contract.CreateProductRequest{Body: contract.ProductCreate{
			ExternalID: externalID, Name: "Widget", ProductCategory: "PHYSICAL", Sku: []string{"a", "b"},
		}})
		require.NoError(t, err)
		return product, session.Outcome().Replayed
	}
	first, replayed := send("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "P-1")
	require.False(t, replayed)
	again, replayed := send("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "P-1")
	require.True(t, replayed)
	require.Equal(t, first, again)
	other, replayed := send("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "P-2")
	require.False(t, replayed)
	require.NotEqual(t, first.ID, other.ID)

	list, err := page.WithQuery("size=1&order_by=external_id").ListProducts(ctx, contract.ListProductsRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 2, list.Total)
	require.Equal(t, "P-1", list.Items[0].ExternalID)
}

// The contract checks the input of a person, and every fault is reported at its path.
func TestATypedFormIsCheckedByTheContract(t *testing.T) {
	t.Parallel()
	in := install(t)
	ctx := t.Context()
	page := in.page(in.person("vi@example.com", "admin")).In(ctx, in.root.organizationID)
	_, err := page.WithBody([]byte(`{"amount":"many","shipping_address":{"country":"Narnia"}}`)).
		EstimateTax(ctx, contract.EstimateTaxRequest{})
	requireCode(t, problem.CodeValidationFailed, err)
	var paths []string
	for _, f := range problem.Of(err).Errors {
		paths = append(paths, f.Path)
	}
	require.Subset(t, paths, []string{"amount", "shipping_address.country"})
	_, err = page.WithQuery("page=none").ListProducts(ctx, contract.ListProductsRequest{})
	requireCode(t, problem.CodeValidationFailed, err)
	require.Equal(t, models.InQuery, problem.Of(err).Errors[0].In)

	product := in.product(in.root, "P-1")
	changed, err := page.WithBody([]byte(`{"description":"Blue"}`)).
		UpdateProduct(ctx, contract.UpdateProductRequest{ProductID: product})
	require.NoError(t, err)
	require.Equal(t, "Blue", changed.Description)
	changed, err = page.WithBody([]byte(`{"description":null}`)).
		UpdateProduct(ctx, contract.UpdateProductRequest{ProductID: product})
	require.NoError(t, err)
	require.Empty(t, changed.Description)
	_, err = page.GetProduct(ctx, contract.GetProductRequest{ProductID: "a/b"})
	requireCode(t, problem.CodeResourceNotFound, err)
}

// A document is read after the access is checked, and only so many bytes of documents of one partner are in memory.
func TestDocumentsOfTypedCallsAreBounded(t *testing.T) {
	t.Parallel()
	in := install(t)
	request := contract.UploadExemptionAttachmentRequest{ExemptionID: in.exemption(in.root)}
	preparer := in.person("preparer@levy.example", "preparer")
	upload := func(token string, content io.Reader) error {
		session := in.page(token).In(t.Context(), in.root.organizationID)
		_, err := session.WithFile(&contract.File{Name: "a.pdf", Type: "application/pdf", Content: content}).
			UploadExemptionAttachment(t.Context(), request)
		return err
	}
	viewed, unread := io.Pipe()
	requireCode(t, problem.CodeForbiddenForKey, upload(in.person("viewer@levy.example", "viewer"), viewed))
	require.NoError(t, unread.Close())

	const most = 2 // of 10 MiB each, within the share of an organization
	senders, ended := make([]*io.PipeWriter, most), make(chan error, most)
	for i := range senders {
		var content *io.PipeReader
		content, senders[i] = io.Pipe()
		go func() { ended <- upload(preparer, content) }()
		_, err := io.WriteString(senders[i], pdf) // it returns when the upload reads
		require.NoError(t, err)
	}
	requireCode(t, problem.CodeServiceUnavailable, upload(preparer, strings.NewReader(pdf)))
	for _, sender := range senders {
		require.NoError(t, sender.Close())
		require.NoError(t, <-ended)
	}
	require.NoError(t, upload(preparer, strings.NewReader(pdf)), "what was read is released")
	requireCode(t, problem.CodeInvalidJSON, upload(preparer, iotest.ErrReader(io.ErrUnexpectedEOF)))
}
