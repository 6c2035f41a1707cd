package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// product is an entry of the catalogue of an organization.
type product struct {
	ID             string `json:"id"`
	ExternalID     string `json:"external_id"`
	Name           string `json:"name"`
	Category       string `json:"product_category"`
	Subcategory    string `json:"product_subcategory"`
	TaxClass       string `json:"tax_class"`
	Classification string `json:"classification"`
	TaxExempt      bool   `json:"tax_exempt"`
	Status         string `json:"status"`
	Unknown        bool   `json:"classification_failed"`
}

// From says where the tax class comes from.
func (p product) From() string {
	return map[string]string{
		"SUBCATEGORY": "by what it is", "CATEGORY_DEFAULT": "by its category, as nothing finer is known",
		"AUTO_DEFAULT": "set up by Levy",
	}[p.Classification]
}

type productList struct {
	cursor
	listPage

	Items   []product `json:"items"`
	Filters filterForm
	Form    htmlForm
	Faults  []fault
}

type productPage struct {
	product
	Form    htmlForm
	Faults  []fault
	Preview *reclassification // nil unless it was asked for
}

// reclassification is what another classification would have changed.
type reclassification struct {
	After struct {
		TaxClass string `json:"tax_class"`
	} `json:"after"`
	Since  string `json:"since"`
	Lines  int    `json:"lines"`
	States []struct {
		State      string `json:"state_code"`
		Country    string `json:"country_code"`
		Currency   string `json:"currency"`
		Lines      int    `json:"lines"`
		Before     string `json:"tax_before"`
		After      string `json:"tax_after"`
		Difference string `json:"difference"`
	} `json:"states"`
}

const (
	productsPath = "/v1/products"
	// kindField is what a product is: category and subcategory, parted by a slash.
	kindField = "kind"
)

// kinds are the categories of the catalogue with what is in them.
func (v *pageRequest) kinds() ([]option, error) {
	var categories []struct {
		Name          string `json:"name"`
		Display       string `json:"display_name"`
		Subcategories []struct {
			Name    string `json:"name"`
			Display string `json:"display_name"`
		} `json:"subcategories"`
	}
	if err := v.get(productsPath+"/categories", v.org, &categories); err != nil {
		return nil, err
	}
	var all []option
	for _, category := range categories {
		all = append(all, option{category.Name + "/", category.Display + ", not specified further"})
		for _, sub := range category.Subcategories {
			all = append(all, option{category.Name + "/" + sub.Name, category.Display + ": " + sub.Display})
		}
	}
	return all, nil
}

// productForm asks what a product is; fresh: of one that is to be created.
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

// classified is a body in which the kind is a category and a subcategory.
func classified(sent map[string]any) map[string]any {
	category, sub, _ := strings.Cut(textOf(sent["product_category"]), "/")
	delete(sent, "product_category")
	if category == "" {
		return sent
	}
	sent["product_category"], sent["product_subcategory"] = category, nil // or the one of before would stay
	if sub != "" {
		sent["product_subcategory"] = sub
	}
	return sent
}

func (c *Console) products(v *pageRequest) error {
	return c.showProducts(v, http.StatusOK, nil)
}

// showProducts lists products; refused is why one was not created, nil for nothing.
func (c *Console) showProducts(v *pageRequest, status int, refused *problem) error {
	kinds, err := v.kinds()
	if err != nil {
		return err
	}
	list := productList{
		listPage: v.listPage(), Form: productForm(kinds, true),
	}
	list.Filters = filters("Find", list.Query, search("find-product", "query", "Name, ID or SKU"),
		allOf("status", "status__in", "Status", options("APPROVED", "PARTIALLY_APPROVED", "PENDING", "ARCHIVED")))
	if refused != nil {
		list.Form = list.Form.filled(nil, v.PostForm)
		list.Faults = list.Form.mark(refused)
	}
	if err := v.get(productsPath+"?"+pick(list.Query, "query", "status__in", "page", "after"), v.org,
		&list); err != nil {
		return err
	}
	v.render(status, titled("Products", list.Faults), list)
	return nil
}

func (c *Console) createProduct(v *pageRequest) error {
	var created product
	sent := classified(productForm(nil, true).body(nil, v.PostForm))
	err := v.call(http.MethodPost, productsPath, v.org, sent, &created)
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

// showProduct shows a product, with what a change would do or why it was refused.
func (c *Console) showProduct(v *pageRequest, status int, preview *reclassification, refused *problem) error {
	page := productPage{Preview: preview}
	form, err := v.productChange(&page.product)
	if err != nil {
		return err
	}
	page.Form = form
	typed := url.Values(nil)
	if preview != nil || refused != nil {
		typed = v.PostForm
	}
	page.Form = page.Form.filled(page.stored(), typed)
	if refused != nil {
		page.Faults = page.Form.mark(refused)
	}
	v.render(status, titled(page.Name, page.Faults), page)
	return nil
}

// kind is what the product is, as the form has it.
func (p product) kind() string { return p.Category + "/" + p.Subcategory }

// stored is what of the product the form asks for.
func (p product) stored() map[string]any {
	return map[string]any{"name": p.Name, kindField: p.kind(), "tax_exempt": p.TaxExempt}
}

// productChange reads a product into now, and is the form that changes it: with its kind, which may be none of the
// catalogue. Errors: *problem.
func (v *pageRequest) productChange(now *product) (htmlForm, error) {
	kinds, err := v.kinds()
	if err != nil {
		return htmlForm{}, err
	}
	if err := v.get(productsPath+"/"+v.id(), v.org, now); err != nil {
		return htmlForm{}, err
	}
	own := option{now.kind(), now.Category + ": " + now.Subcategory + ", as sent"}
	if !slices.ContainsFunc(kinds, func(o option) bool { return o.Value == own.Value }) {
		kinds = append([]option{own}, kinds...)
	}
	return productForm(kinds, false).changing(), nil
}

// changedProduct is what was changed on the page of a product, as the body of a change. Errors: *problem.
func (v *pageRequest) changedProduct() (map[string]any, error) {
	var now product
	form, err := v.productChange(&now)
	if err != nil {
		return nil, err
	}
	if err := form.outdated(now.stored(), v.PostForm); err != nil {
		return nil, err
	}
	return classified(form.body(now.stored(), v.PostForm)), nil
}

// changeProduct shows what another classification would have changed, writes it, or takes the product out of use.
func (c *Console) changeProduct(v *pageRequest) error {
	path, action := productsPath+"/"+v.id(), v.PostFormValue("action")
	var sent map[string]any
	var err error
	switch action {
	case "preview":
		preview := &reclassification{}
		if sent, err = v.changedProduct(); err == nil {
			delete(sent, "name")
			err = v.call(http.MethodPost, path+"/reclassification_preview", v.org, sent, preview)
		}
		if err == nil {
			return c.showProduct(v, http.StatusOK, preview, nil)
		}
	case "save":
		if sent, err = v.changedProduct(); err == nil {
			err = v.call(http.MethodPut, path, v.org, sent, nil)
		}
	case "archive":
		err = v.call(http.MethodDelete, path, v.org, nil, nil)
	default:
		err = unknownAction()
	}
	if refused, ok := correctable(err); ok && action != "archive" { // which sends nothing of the form that changes it
		return c.showProduct(v, refused.Status, nil, refused)
	}
	return v.goBack(err)
}
