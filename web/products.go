package web

import (
	"html/template"
	"levy/contract"
	"levy/models"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// product is a product in the catalogue of an organization.
type product struct{ contract.Product }

// ClassOrigin returns the origin of the tax class.
func (p product) ClassOrigin() string {
	return map[contract.ProductClassification]string{
		"SUBCATEGORY": "by what it is", "CATEGORY_DEFAULT": "by its category, as nothing finer is known",
		"AUTO_DEFAULT": "set up by Levy",
	}[p.Classification]
}

// productList is a page of the list of products.
type productList struct {
	cursor
	listPage

	Items   []contract.Product
	File    template.URL
	Filters filterForm
	Form    htmlForm
	Faults  []fault
}

// productPage is the page of a product.
type productPage struct {
	product
	Form    htmlForm
	Faults  []fault
	Preview *contract.ReclassificationPreview // nil before a preview
}

// kindField has a category and a subcategory: "FOOD/SNACKS".
const kindField = "kind"

// kinds returns the categories and subcategories of the catalogue as options.
func (v *pageRequest) kinds() ([]option, error) {
	categories, err := v.session.ListProductCategories(v.Context(), contract.ListProductCategoriesRequest{})
	if err != nil {
		return nil, err
	}
	var all []option
	for _, category := range categories {
		all = append(all, option{category.Name + "/", category.DisplayName + ", not specified further"})
		for _, sub := range category.Subcategories {
			all = append(all, option{category.Name + "/" + sub.Name, category.DisplayName + ": " + sub.DisplayName})
		}
	}
	return all, nil
}

// productForm returns the form of a product; fresh is the form of a new one.
func productForm(kinds []option, fresh bool) htmlForm {
	kind := required(choice(kindField, "Category", "off", kinds))
	kind.Path, kind.Also = "product_category", []string{"product_subcategory"}
	all := []field{
		required(text("name", "Name", 255, "off")), kind,
		{Name: "tax_exempt", Label: "Never taxed", Kind: "check", Auto: "off"},
	}
	if !fresh {
		return htmlForm{Groups: []fieldGroup{{Title: "Change this product", Fields: all}}}
	}
	id := required(hinted(text("external_id", "Your ID", 255, "off"), "It cannot be changed later"))
	return htmlForm{Groups: []fieldGroup{{Title: "New product", Fields: append([]field{id}, all...)}}}
}

// classified splits the kind in a body into a category and a subcategory.
func classified(sent map[string]any) map[string]any {
	category, sub, _ := strings.Cut(textOf(sent["product_category"]), "/")
	delete(sent, "product_category")
	if category == "" {
		return sent
	}
	sent["product_category"], sent["product_subcategory"] = category, nil // without null the previous subcategory would stay
	if sub != "" {
		sent["product_subcategory"] = sub
	}
	return sent
}

func (c *Console) products(v *pageRequest) error {
	return c.showProducts(v, http.StatusOK, nil)
}

// showProducts lists products. refused is why a new one was refused; nil if it was not.
func (c *Console) showProducts(v *pageRequest, status int, refused *problem) error {
	kinds, err := v.kinds()
	if err != nil {
		return err
	}
	list := productList{Form: productForm(kinds, true)}
	query := v.sized(pick(v.URL.Query(), append([]string{"page", "after"}, productParameters...)...))
	found, err := v.session.WithQuery(query).ListProducts(v.Context(), contract.ListProductsRequest{})
	if err != nil {
		return err
	}
	list.listPage, list.NextCursor = v.pageOf(found.Total, found.Page, found.Pages), valueOf(found.NextCursor)
	list.Items, list.File = found.Items, v.fileOf("products", list.Query, productParameters...)
	list.Filters = filters("Find", list.Query, search("find-product", "query", "Name, ID or SKU"),
		allOf("status", "status__in", "Status", options(models.ProductApproved, models.ProductPartiallyApproved, models.ProductPending,
			models.ProductArchived)))
	if refused != nil {
		list.Form = list.Form.filled(nil, v.PostForm)
		list.Faults = list.Form.mark(refused)
	}
	v.render(status, titled("Products", list.Faults), list)
	return nil
}

func (c *Console) createProduct(v *pageRequest) error {
	session, err := v.sending(classified(productForm(nil, true).body(nil, v.PostForm)))
	if err != nil {
		return err
	}
	created, err := session.CreateProduct(v.Context(), contract.CreateProductRequest{})
	if refused, ok := correctable(err); ok {
		return c.showProducts(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path + "/" + url.PathEscape(created.ID))
}

func (c *Console) productOf(v *pageRequest) error {
	return c.showProduct(v, http.StatusOK, nil, nil)
}

// showProduct shows a product with the preview of a change, or with the errors of a refused one.
func (c *Console) showProduct(v *pageRequest, status int, preview *contract.ReclassificationPreview, refused *problem) error {
	page := productPage{Preview: preview}
	var err error
	if page.product, page.Form, err = v.productChange(); err != nil {
		return err
	}
	typed := url.Values(nil)
	if preview != nil || refused != nil {
		typed = v.PostForm
	}
	page.Form = page.Form.filled(page.stored(), typed)
	if refused != nil {
		page.Faults = page.Form.mark(refused)
	}
	v.render(status, titled(isolated(page.Name), page.Faults), page)
	return nil
}

// kind returns the category and subcategory as the form has them.
func (p product) kind() string { return p.ProductCategory + "/" + valueOf(p.ProductSubcategory) }

// stored returns the values of the product's form.
func (p product) stored() map[string]any {
	return map[string]any{"name": p.Name, kindField: p.kind(), "tax_exempt": p.TaxExempt}
}

// productChange reads a product and returns the form that changes it. Its kind may be missing in the catalogue and is
// then an option of its own. Errors: *problem.
func (v *pageRequest) productChange() (now product, form htmlForm, err error) {
	kinds, err := v.kinds()
	if err != nil {
		return now, form, err
	}
	request := contract.GetProductRequest{ProductID: v.PathValue("id")}
	if now.Product, err = v.session.GetProduct(v.Context(), request); err != nil {
		return now, form, err
	}
	own := option{now.kind(), now.ProductCategory + ": " + valueOf(now.ProductSubcategory) + ", as sent"}
	if !slices.ContainsFunc(kinds, func(o option) bool { return o.Value == own.Value }) {
		kinds = append([]option{own}, kinds...)
	}
	return now, productForm(kinds, false).changing(), nil
}

// changedProduct returns the session that sends the changed fields, without those that are omitted. Errors: *problem.
func (v *pageRequest) changedProduct(omitted ...string) (contract.CallerSession, error) {
	now, form, err := v.productChange()
	if err != nil {
		return nil, err
	}
	if err := form.outdated(now.stored(), v.PostForm); err != nil {
		return nil, err
	}
	sent := classified(form.body(now.stored(), v.PostForm))
	for _, name := range omitted {
		delete(sent, name)
	}
	return v.sending(sent)
}

// changeProduct previews a change of a product, saves it, or archives the product.
func (c *Console) changeProduct(v *pageRequest) error {
	id, action := v.PathValue("id"), v.PostFormValue("action")
	var session contract.CallerSession
	var err error
	switch action {
	case "preview":
		if session, err = v.changedProduct("name"); err != nil {
			break
		}
		preview, refused := session.PreviewReclassification(v.Context(),
			contract.PreviewReclassificationRequest{ProductID: id})
		if err = refused; err == nil {
			return c.showProduct(v, http.StatusOK, &preview, nil)
		}
	case "save":
		if session, err = v.changedProduct(); err == nil {
			_, err = session.UpdateProduct(v.Context(), contract.UpdateProductRequest{ProductID: id})
		}
	case "archive":
		err = v.session.ArchiveProduct(v.Context(), contract.ArchiveProductRequest{ProductID: id})
	default:
		err = unknownAction()
	}
	if refused, ok := correctable(err); ok && action != "archive" { // archiving sends no fields
		return c.showProduct(v, refused.Status, nil, refused)
	}
	return v.goBack(err)
}
