package nexus

import "levy/contract"

// physicalNexusCategories are the categories of presence, in the order of the contract.
var physicalNexusCategories = []contract.PhysicalNexusCategoryDetails{
	{
		Name: "PHYSICAL_BUSINESS_LOCATION", Title: "Business location",
		Description: "A place of business that is open to customers or staff.", Example: "A shop in the state.",
	},
	{
		Name: "OWN_LEASE_A_PROPERTY", Title: "Property", Description: "Real property that is owned or leased.",
		Example: "A leased office.",
	},
	{
		Name: "WAREHOUSE_AND_INVENTORY_PRESENCE", Title: "Warehouse",
		Description: "A warehouse with own stock, also one that others run.",
		Example:     "Goods in a fulfilment centre.",
	},
	{
		Name: "INVENTORY", Title: "Inventory", Description: "Own goods that lie in the jurisdiction.",
		Example: "Spare parts with a customer.",
	},
	{
		Name: "CONSIGNMENT_STOCK_ARRANGEMENTS", Title: "Consignment stock",
		Description: "Goods that others sell on commission.", Example: "Books in a partner's shop.",
	},
	{
		Name: "TELECOMMUTING_OR_REMOTE_EMPLOYEE", Title: "Remote employee",
		Description: "An employee who works from there.", Example: "A developer at home.",
	},
	{
		Name: "IN_STATE_SALES_PERSON", Title: "Sales person", Description: "Own staff that sells there.",
		Example: "A representative who lives in the state.",
	},
	{
		Name: "INDEPENDENT_CONTRACTOR_OR_THIRD_PARTY_SALES_PERSON", Title: "Independent sales person",
		Description: "Another person who sells there on the organization's behalf.",
		Example:     "An agency that takes orders.",
	},
	{
		Name: "EMPLOYEES_AGENTS_CONTRACTORS", Title: "Employees, agents or contractors",
		Description: "People who work there for the organization in any way.",
		Example:     "A contractor who visits customers.",
	},
	{
		Name: "WARRANTY_AND_REPAIR_SERVICES", Title: "Warranty and repairs",
		Description: "Repairs there, also by others.", Example: "A workshop that mends under warranty.",
	},
	{
		Name: "ON_SITE_INSTALLATION_MAINTENANCE_SERVICES", Title: "Installation and maintenance",
		Description: "Work on goods where the customer is.", Example: "Fitting a kitchen.",
	},
	{
		Name: "PERFORMING_SERVICES_IN_THE_JURISDICTION", Title: "Services",
		Description: "Services that are performed there.", Example: "A training course.",
	},
	{
		Name: "CATALOGUE_DISTRIBUTION_OR_ADVERTISING_MATERIAL", Title: "Catalogues and advertising",
		Description: "Printed matter that is given out there.", Example: "Catalogues by mail.",
	},
	{
		Name: "DELIVERY_BY_COMMON_CARRIER", Title: "Delivery by carrier",
		Description: "Goods that a carrier brings there.", Example: "Parcels.",
	},
	{
		Name: "DELIVERY_BY_OWN_VEHICLES", Title: "Delivery by own vehicles",
		Description: "Goods that are brought in own vehicles.", Example: "A furniture van.",
	},
	{
		Name: "DELIVERY_USING_COMPANY_VEHICLES", Title: "Company vehicles",
		Description: "Vehicles of the company that are used there for deliveries.", Example: "A leased truck.",
	},
	{
		Name: "OWN_BUSINESS_INFRASTRUCTURE_AND_EQUIPMENT", Title: "Equipment",
		Description: "Own machines or installations.", Example: "Vending machines.",
	},
	{
		Name: "SERVERS_DATA_CENTERS", Title: "Servers",
		Description: "Own or leased servers in a data centre there.", Example: "A rack in Virginia.",
	},
	{
		Name: "DIGITAL_INFRASTRUCTURE_LOCALIZED", Title: "Local digital infrastructure",
		Description: "Digital services that are made for and run in the jurisdiction.",
		Example:     "A regional platform.",
	},
	{
		Name: "MANUFACTURING_FACILITIES", Title: "Manufacturing", Description: "A place where goods are made.",
		Example: "A factory.",
	},
	{
		Name: "MANUFACTURE_OR_PRODUCTION_IN_CANADA", Title: "Production in Canada",
		Description: "Goods that are made in Canada.", Example: "A workshop in Ontario.",
	},
	{
		Name: "TRADE_SHOW_PRESENCE", Title: "Trade show with sales",
		Description: "A stand at which goods are sold.", Example: "Sales at a fair.",
	},
	{
		Name: "TRADE_SHOW_PRESENCE_WITHOUT_SALES", Title: "Trade show without sales",
		Description: "A stand at which nothing is sold.", Example: "A demonstration at a fair.",
	},
	{
		Name: "FREQUENT_PARTICIPATION_IN_TRADE_SHOWS_EVENTS", Title: "Frequent events",
		Description: "Trade shows or events several times a year.", Example: "Four fairs a year.",
	},
	{
		Name: "PERMANENT_ESTABLISHMENT", Title: "Permanent establishment",
		Description: "A fixed place of business in the sense of tax treaties.", Example: "A branch.",
	},
	{
		Name: "ENTER_CONTRACTS_WITH_LOCALS", Title: "Contracts on the spot",
		Description: "People who close contracts there in the organization's name.",
		Example:     "An agent with power to sign.",
	},
}
