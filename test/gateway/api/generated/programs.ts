/** Programs on generated clients. Each prints plan, hmrcSubmission, type of a source, number of category keys, created entries, amount. */

interface GoProgram {
  /** Beside those of every program. */
  imports: string[];
  /** What a call returns after its value. */
  results?: string;
  declarations?: string;
  /** Ends with the variables that are printed. */
  main: string;
}

const goProgram = ({ imports, results = 'err error', declarations = '', main }: GoProgram) => `package main

import (
	"context"
	"fmt"
	"os"
	${imports.join('\n\t')}
)

func must[T any](value T, ${results}) T {
	if err != nil {
		panic(err)
	}
	return value
}
${declarations}
func main() {${main}	fmt.Println(me.Plan, me.Capabilities.HmrcSubmission, sources[0].Type, len(set.Income), result.Created, page[0].AmountPence)
}
`;

export const GO = goProgram({
  imports: ['api "clients/api"'],
  results: '_ any, err error',
  main: `
	configuration := api.NewConfiguration()
	configuration.Servers[0].URL = os.Getenv("LEDGER_URL")
	client := api.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("LEDGER_API_KEY"))
	id := os.Getenv("SOURCE")
	me := must(client.AccountAPI.GetMe(ctx).Execute())
	sources := must(client.SourcesAPI.ListSources(ctx).Execute()).Sources
	set := must(client.CategoriesAPI.ListCategories(ctx).SourceType("uk-property").Execute()).CategorySet
	entries := []api.TransactionInput{*api.NewTransactionInput("2026-04-06", "income", 9007199254740991)}
	body := api.ArrayOfTransactionInputAsCreateRequest(&entries)
	result := must(client.TransactionsAPI.CreateTransactions(ctx, id).CreateRequest(body).Execute())
	page := must(client.TransactionsAPI.ListTransactions(ctx, id).Execute()).Transactions
`,
});

export const OGEN = goProgram({
  imports: ['"time"', '"clients/api"', '"github.com/google/uuid"'],
  declarations: `
type key string

func (k key) Bearer(context.Context, api.OperationName) (api.Bearer, error) {
	return api.Bearer{Token: string(k)}, nil
}
`,
  main: `
	ctx := context.Background()
	client := must(api.NewClient(os.Getenv("LEDGER_URL"), key(os.Getenv("LEDGER_API_KEY"))))
	id := uuid.MustParse(os.Getenv("SOURCE"))
	me := must(client.GetMe(ctx)).(*api.AccountHeaders).Response
	sources := must(client.ListSources(ctx)).(*api.SourceListHeaders).Response.Sources
	one := api.ListCategoriesParams{SourceType: api.NewOptString("uk-property")}
	set := must(client.ListCategories(ctx, one)).(*api.CategoriesHeaders).Response.CategorySet
	date := time.Date(2026, 4, 6, 0, 0, 0, 0, time.UTC)
	entries := api.TransactionInputs{{Date: date, Type: "income", AmountPence: 9007199254740991}}
	body := api.NewTransactionInputsCreateRequest(entries)
	created := must(client.CreateTransactions(ctx, body, api.CreateTransactionsParams{ID: id}))
	result := created.(*api.CreateTransactionsCreated).Response
	page := must(client.ListTransactions(ctx, api.ListTransactionsParams{ID: id})).(*api.TransactionListHeaders).Response.Transactions
`,
});

export const OAPI_CODEGEN = goProgram({
  imports: ['"net/http"', '"time"', '"clients/api"', '"github.com/oapi-codegen/runtime/types"'],
  declarations: `
func authorized(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("LEDGER_API_KEY"))
	return nil
}
`,
  main: `
	ctx := context.Background()
	client := must(api.NewClientWithResponses(os.Getenv("LEDGER_URL"), api.WithRequestEditorFn(authorized)))
	var id types.UUID
	id.UnmarshalText([]byte(os.Getenv("SOURCE")))
	me := must(client.GetMeWithResponse(ctx)).JSON200
	sources := must(client.ListSourcesWithResponse(ctx)).JSON200.Sources
	of := "uk-property"
	categories := must(client.ListCategoriesWithResponse(ctx, &api.ListCategoriesParams{SourceType: &of})).JSON200
	set := must(categories.AsCategorySet())
	date := types.Date{Time: time.Date(2026, 4, 6, 0, 0, 0, 0, time.UTC)}
	var body api.CreateRequest
	body.FromTransactionInputs(api.TransactionInputs{{Date: date, Type: "income", AmountPence: 9007199254740991}})
	result := must(client.CreateTransactionsWithResponse(ctx, id, nil, body)).JSON201
	page := must(client.ListTransactionsWithResponse(ctx, id, nil)).JSON200.Transactions
`,
});

export const JAVA = `import static java.lang.System.getenv;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Program {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(getenv("LEDGER_URL"));
    client.setBearerToken(getenv("LEDGER_API_KEY"));
    UUID id = UUID.fromString(getenv("SOURCE"));
    TransactionsApi ledger = new TransactionsApi(client);
    Account me = new AccountApi(client).getMe();
    String type = new SourcesApi(client).listSources().getSources().get(0).getType();
    CategorySet set = new CategoriesApi(client).listCategories("uk-property").getCategorySet();
    TransactionInput entry = new TransactionInput().date(LocalDate.of(2026, 4, 6))
        .type(TransactionInput.TypeEnum.INCOME).amountPence(9007199254740991L);
    CreateResult result = ledger.createTransactions(id, new CreateRequest(List.of(entry)), null);
    Transaction last = ledger.listTransactions(id, null, null, null, null).getTransactions().get(0);
    Boolean submits = me.getCapabilities().getHmrcSubmission();
    System.out.println(String.format("%s %s %s %s %s %s", me.getPlan(), submits, type, set.getIncome().size(),
        result.getCreated(), last.getAmountPence()));
    System.exit(0);
  }
}
`;

export const RUST = `use openapi::apis::{account_api, categories_api, configuration::Configuration, sources_api, transactions_api};
use openapi::models::{transaction_input::Type, Categories, CreateRequest, TransactionInput};
use std::env::var;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let configuration = &Configuration {
        base_path: var("LEDGER_URL").unwrap(),
        bearer_access_token: var("LEDGER_API_KEY").ok(),
        ..Configuration::new()
    };
    let id = &var("SOURCE").unwrap();
    let me = account_api::get_me(configuration).await.unwrap();
    let sources = sources_api::list_sources(configuration).await.unwrap().sources;
    let categories = categories_api::list_categories(configuration, Some("uk-property")).await.unwrap();
    let Categories::CategorySet(set) = categories else { panic!("{categories:?}") };
    let entry = TransactionInput::new("2026-04-06".parse().unwrap(), Type::Income, 9007199254740991);
    let body = CreateRequest::TransactionInputs(vec![entry]);
    let result = transactions_api::create_transactions(configuration, id, body, None).await.unwrap();
    let list = transactions_api::list_transactions(configuration, id, None, None, None, None);
    let page = list.await.unwrap().transactions;
    let (submits, amount) = (me.capabilities.hmrc_submission, page[0].amount_pence);
    println!("{} {} {} {} {} {}", me.plan, submits, sources[0].r#type, set.income.len(), result.created, amount);
}
`;

export const PYTHON = `import os

from openapi_client import *

configuration = Configuration(host=os.environ["LEDGER_URL"], access_token=os.environ["LEDGER_API_KEY"])
id, client = os.environ["SOURCE"], ApiClient(configuration)
ledger = TransactionsApi(client)
me = AccountApi(client).get_me()
sources = SourcesApi(client).list_sources().sources
categories = CategoriesApi(client).list_categories("uk-property").actual_instance
entry = TransactionInput(date="2026-04-06", type="income", amountPence=9007199254740991)
result = ledger.create_transactions(id, CreateRequest([entry]))
page = ledger.list_transactions(id).transactions
submits = me.capabilities.hmrc_submission
print(me.plan, submits, sources[0].type, len(categories.income), result.created, page[0].amount_pence)
`;

export const PYTHON_CLIENT = `import datetime, os

from api import AuthenticatedClient
from api.api.account import get_me
from api.api.categories import list_categories
from api.api.sources import list_sources
from api.api.transactions import create_transactions, list_transactions
from api.models import TransactionInput, TransactionInputType

id = os.environ["SOURCE"]
client = AuthenticatedClient(base_url=os.environ["LEDGER_URL"], token=os.environ["LEDGER_API_KEY"])
me = get_me.sync(client=client)
sources = list_sources.sync(client=client).sources
categories = list_categories.sync(client=client, source_type="uk-property")
entry = TransactionInput(datetime.date(2026, 4, 6), TransactionInputType.INCOME, 9007199254740991)
result = create_transactions.sync(id, client=client, body=[entry])
page = list_transactions.sync(id, client=client).transactions
submits = me.capabilities.hmrc_submission
print(me.plan, submits, sources[0].type_, len(categories.income), result.created, page[0].amount_pence)
`;

export const DATAMODEL = `import os, urllib.request

from api import *

def send(path, model, body=None):
    headers = {"Authorization": "Bearer " + os.environ["LEDGER_API_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["LEDGER_URL"] + "/api/v1/" + path, body, headers)
    with urllib.request.urlopen(request) as response:
        return model.model_validate_json(response.read())

path = "sources/" + os.environ["SOURCE"] + "/transactions"
me = send("me", Account)
sources = send("sources", SourceList).sources
categories = send("categories?sourceType=uk-property", Categories).root
entry = TransactionInput(date="2026-04-06", type="income", amountPence=9007199254740991)
body = CreateRequest([entry]).model_dump_json(exclude_none=True).encode()
result = send(path, CreateResult, body)
page = send(path, TransactionList).transactions
submits = me.capabilities.hmrcSubmission
print(me.plan, submits, sources[0].type, len(categories.income), result.created, page[0].amountPence)
`;

export const HEY_API = `import { createTransactions, getMe, listCategories, listSources, listTransactions } from './api';
import { client } from './api/client.gen';

const { LEDGER_URL = '', LEDGER_API_KEY = '', SOURCE: id = '' } = process.env;
client.setConfig({ baseUrl: LEDGER_URL, auth: LEDGER_API_KEY });
const throwOnError = true;
const { data: me } = await getMe({ throwOnError });
const { sources } = (await listSources({ throwOnError })).data;
const { data: set } = await listCategories({ throwOnError, query: { sourceType: 'uk-property' } });
const keys = 'income' in set ? set.income.length : 0;
const body = [{ date: '2026-04-06', type: 'income' as const, amountPence: 9007199254740991 }];
const { data: result } = await createTransactions({ throwOnError, path: { id }, body });
const { transactions } = (await listTransactions({ throwOnError, path: { id } })).data;
const type: string | undefined = sources[0]?.type;
const amount: number | undefined = transactions[0]?.amountPence;
console.log(me.plan, me.capabilities.hmrcSubmission, type, keys, result.created, amount);
`;
