package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// product is a product in the catalogue of an organization.
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

// From returns the origin of the tax class.
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
	Preview *reclassification // nil before a preview
}

// reclassification is the difference in tax that another classification would have made.
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
	// kindField has a category and a subcategory: "FOOD/SNACKS".
	kindField = "kind"
)

// kinds returns the categories and subcategories of the catalogue as options.
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

// showProduct shows a product with the preview of a change, or with the errors of a refused one.
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

// kind returns the category and subcategory as the form has them.
func (p product) kind() string { return p.Category + "/" + p.Subcategory }

// stored returns the values of the product's form.
func (p product) stored() map[string]any {
	return map[string]any{"name": p.Name, kindField: p.kind(), "tax_exempt": p.TaxExempt}
}

// productChange reads a product and returns the form that changes it. Its kind may be missing in the catalogue and is
// then an option of its own. Errors: *problem.
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

// changedProduct returns the body of the changed fields. Errors: *problem.
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

// changeProduct previews a change of a product, saves it, or archives the product.
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
	if refused, ok := correctable(err); ok && action != "archive" { // archiving sends no fields
		return c.showProduct(v, refused.Status, nil, refused)
	}
	return v.goBack(err)
}
