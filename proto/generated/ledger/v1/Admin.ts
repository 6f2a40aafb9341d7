// Original file: proto/admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Account as _ledger_v1_Account, Account__Output as _ledger_v1_Account__Output } from '../../ledger/v1/Account';
import type { AdminEntry as _ledger_v1_AdminEntry, AdminEntry__Output as _ledger_v1_AdminEntry__Output } from '../../ledger/v1/AdminEntry';
import type { AdminSource as _ledger_v1_AdminSource, AdminSource__Output as _ledger_v1_AdminSource__Output } from '../../ledger/v1/AdminSource';
import type { CategoriseRequest as _ledger_v1_CategoriseRequest, CategoriseRequest__Output as _ledger_v1_CategoriseRequest__Output } from '../../ledger/v1/CategoriseRequest';
import type { CreateAccountRequest as _ledger_v1_CreateAccountRequest, CreateAccountRequest__Output as _ledger_v1_CreateAccountRequest__Output } from '../../ledger/v1/CreateAccountRequest';
import type { CreateKeyRequest as _ledger_v1_CreateKeyRequest, CreateKeyRequest__Output as _ledger_v1_CreateKeyRequest__Output } from '../../ledger/v1/CreateKeyRequest';
import type { CreateSourceRequest as _ledger_v1_CreateSourceRequest, CreateSourceRequest__Output as _ledger_v1_CreateSourceRequest__Output } from '../../ledger/v1/CreateSourceRequest';
import type { DeleteAccountRequest as _ledger_v1_DeleteAccountRequest, DeleteAccountRequest__Output as _ledger_v1_DeleteAccountRequest__Output } from '../../ledger/v1/DeleteAccountRequest';
import type { EraseAccountRequest as _ledger_v1_EraseAccountRequest, EraseAccountRequest__Output as _ledger_v1_EraseAccountRequest__Output } from '../../ledger/v1/EraseAccountRequest';
import type { ErasedAccount as _ledger_v1_ErasedAccount, ErasedAccount__Output as _ledger_v1_ErasedAccount__Output } from '../../ledger/v1/ErasedAccount';
import type { Key as _ledger_v1_Key, Key__Output as _ledger_v1_Key__Output } from '../../ledger/v1/Key';
import type { ListAccountSourcesRequest as _ledger_v1_ListAccountSourcesRequest, ListAccountSourcesRequest__Output as _ledger_v1_ListAccountSourcesRequest__Output } from '../../ledger/v1/ListAccountSourcesRequest';
import type { ListAccountSourcesResponse as _ledger_v1_ListAccountSourcesResponse, ListAccountSourcesResponse__Output as _ledger_v1_ListAccountSourcesResponse__Output } from '../../ledger/v1/ListAccountSourcesResponse';
import type { ListAccountsRequest as _ledger_v1_ListAccountsRequest, ListAccountsRequest__Output as _ledger_v1_ListAccountsRequest__Output } from '../../ledger/v1/ListAccountsRequest';
import type { ListAccountsResponse as _ledger_v1_ListAccountsResponse, ListAccountsResponse__Output as _ledger_v1_ListAccountsResponse__Output } from '../../ledger/v1/ListAccountsResponse';
import type { ListActionsRequest as _ledger_v1_ListActionsRequest, ListActionsRequest__Output as _ledger_v1_ListActionsRequest__Output } from '../../ledger/v1/ListActionsRequest';
import type { ListActionsResponse as _ledger_v1_ListActionsResponse, ListActionsResponse__Output as _ledger_v1_ListActionsResponse__Output } from '../../ledger/v1/ListActionsResponse';
import type { ListKeysRequest as _ledger_v1_ListKeysRequest, ListKeysRequest__Output as _ledger_v1_ListKeysRequest__Output } from '../../ledger/v1/ListKeysRequest';
import type { ListKeysResponse as _ledger_v1_ListKeysResponse, ListKeysResponse__Output as _ledger_v1_ListKeysResponse__Output } from '../../ledger/v1/ListKeysResponse';
import type { ListUncategorisedRequest as _ledger_v1_ListUncategorisedRequest, ListUncategorisedRequest__Output as _ledger_v1_ListUncategorisedRequest__Output } from '../../ledger/v1/ListUncategorisedRequest';
import type { ListUncategorisedResponse as _ledger_v1_ListUncategorisedResponse, ListUncategorisedResponse__Output as _ledger_v1_ListUncategorisedResponse__Output } from '../../ledger/v1/ListUncategorisedResponse';
import type { NewKey as _ledger_v1_NewKey, NewKey__Output as _ledger_v1_NewKey__Output } from '../../ledger/v1/NewKey';
import type { RemoveSourceRequest as _ledger_v1_RemoveSourceRequest, RemoveSourceRequest__Output as _ledger_v1_RemoveSourceRequest__Output } from '../../ledger/v1/RemoveSourceRequest';
import type { RenameSourceRequest as _ledger_v1_RenameSourceRequest, RenameSourceRequest__Output as _ledger_v1_RenameSourceRequest__Output } from '../../ledger/v1/RenameSourceRequest';
import type { RestoreAccountRequest as _ledger_v1_RestoreAccountRequest, RestoreAccountRequest__Output as _ledger_v1_RestoreAccountRequest__Output } from '../../ledger/v1/RestoreAccountRequest';
import type { RevokeKeyRequest as _ledger_v1_RevokeKeyRequest, RevokeKeyRequest__Output as _ledger_v1_RevokeKeyRequest__Output } from '../../ledger/v1/RevokeKeyRequest';
import type { SetPlanRequest as _ledger_v1_SetPlanRequest, SetPlanRequest__Output as _ledger_v1_SetPlanRequest__Output } from '../../ledger/v1/SetPlanRequest';

export interface AdminClient extends grpc.Client {
  Categorise(argument: _ledger_v1_CategoriseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  Categorise(argument: _ledger_v1_CategoriseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  Categorise(argument: _ledger_v1_CategoriseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  Categorise(argument: _ledger_v1_CategoriseRequest, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  categorise(argument: _ledger_v1_CategoriseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  categorise(argument: _ledger_v1_CategoriseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  categorise(argument: _ledger_v1_CategoriseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  categorise(argument: _ledger_v1_CategoriseRequest, callback: grpc.requestCallback<_ledger_v1_AdminEntry__Output>): grpc.ClientUnaryCall;
  
  CreateAccount(argument: _ledger_v1_CreateAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  CreateAccount(argument: _ledger_v1_CreateAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  CreateAccount(argument: _ledger_v1_CreateAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  CreateAccount(argument: _ledger_v1_CreateAccountRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _ledger_v1_CreateAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _ledger_v1_CreateAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _ledger_v1_CreateAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  createAccount(argument: _ledger_v1_CreateAccountRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  
  CreateKey(argument: _ledger_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _ledger_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _ledger_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  CreateKey(argument: _ledger_v1_CreateKeyRequest, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _ledger_v1_CreateKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _ledger_v1_CreateKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _ledger_v1_CreateKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  createKey(argument: _ledger_v1_CreateKeyRequest, callback: grpc.requestCallback<_ledger_v1_NewKey__Output>): grpc.ClientUnaryCall;
  
  CreateSource(argument: _ledger_v1_CreateSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  CreateSource(argument: _ledger_v1_CreateSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  CreateSource(argument: _ledger_v1_CreateSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  CreateSource(argument: _ledger_v1_CreateSourceRequest, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  createSource(argument: _ledger_v1_CreateSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  createSource(argument: _ledger_v1_CreateSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  createSource(argument: _ledger_v1_CreateSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  createSource(argument: _ledger_v1_CreateSourceRequest, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  
  DeleteAccount(argument: _ledger_v1_DeleteAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  DeleteAccount(argument: _ledger_v1_DeleteAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  DeleteAccount(argument: _ledger_v1_DeleteAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  DeleteAccount(argument: _ledger_v1_DeleteAccountRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  deleteAccount(argument: _ledger_v1_DeleteAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  deleteAccount(argument: _ledger_v1_DeleteAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  deleteAccount(argument: _ledger_v1_DeleteAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  deleteAccount(argument: _ledger_v1_DeleteAccountRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  
  EraseAccount(argument: _ledger_v1_EraseAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  EraseAccount(argument: _ledger_v1_EraseAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  EraseAccount(argument: _ledger_v1_EraseAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  EraseAccount(argument: _ledger_v1_EraseAccountRequest, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _ledger_v1_EraseAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _ledger_v1_EraseAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _ledger_v1_EraseAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  eraseAccount(argument: _ledger_v1_EraseAccountRequest, callback: grpc.requestCallback<_ledger_v1_ErasedAccount__Output>): grpc.ClientUnaryCall;
  
  ListAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  ListAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  ListAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  ListAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  listAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  listAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  listAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  listAccountSources(argument: _ledger_v1_ListAccountSourcesRequest, callback: grpc.requestCallback<_ledger_v1_ListAccountSourcesResponse__Output>): grpc.ClientUnaryCall;
  
  ListAccounts(argument: _ledger_v1_ListAccountsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  ListAccounts(argument: _ledger_v1_ListAccountsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  ListAccounts(argument: _ledger_v1_ListAccountsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  ListAccounts(argument: _ledger_v1_ListAccountsRequest, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _ledger_v1_ListAccountsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _ledger_v1_ListAccountsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _ledger_v1_ListAccountsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  listAccounts(argument: _ledger_v1_ListAccountsRequest, callback: grpc.requestCallback<_ledger_v1_ListAccountsResponse__Output>): grpc.ClientUnaryCall;
  
  ListActions(argument: _ledger_v1_ListActionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  ListActions(argument: _ledger_v1_ListActionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  ListActions(argument: _ledger_v1_ListActionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  ListActions(argument: _ledger_v1_ListActionsRequest, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  listActions(argument: _ledger_v1_ListActionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  listActions(argument: _ledger_v1_ListActionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  listActions(argument: _ledger_v1_ListActionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  listActions(argument: _ledger_v1_ListActionsRequest, callback: grpc.requestCallback<_ledger_v1_ListActionsResponse__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _ledger_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _ledger_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _ledger_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _ledger_v1_ListKeysRequest, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _ledger_v1_ListKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _ledger_v1_ListKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _ledger_v1_ListKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _ledger_v1_ListKeysRequest, callback: grpc.requestCallback<_ledger_v1_ListKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListUncategorised(argument: _ledger_v1_ListUncategorisedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  ListUncategorised(argument: _ledger_v1_ListUncategorisedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  ListUncategorised(argument: _ledger_v1_ListUncategorisedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  ListUncategorised(argument: _ledger_v1_ListUncategorisedRequest, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  listUncategorised(argument: _ledger_v1_ListUncategorisedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  listUncategorised(argument: _ledger_v1_ListUncategorisedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  listUncategorised(argument: _ledger_v1_ListUncategorisedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  listUncategorised(argument: _ledger_v1_ListUncategorisedRequest, callback: grpc.requestCallback<_ledger_v1_ListUncategorisedResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveSource(argument: _ledger_v1_RemoveSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  RemoveSource(argument: _ledger_v1_RemoveSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  RemoveSource(argument: _ledger_v1_RemoveSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  RemoveSource(argument: _ledger_v1_RemoveSourceRequest, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  removeSource(argument: _ledger_v1_RemoveSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  removeSource(argument: _ledger_v1_RemoveSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  removeSource(argument: _ledger_v1_RemoveSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  removeSource(argument: _ledger_v1_RemoveSourceRequest, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  
  RenameSource(argument: _ledger_v1_RenameSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  RenameSource(argument: _ledger_v1_RenameSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  RenameSource(argument: _ledger_v1_RenameSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  RenameSource(argument: _ledger_v1_RenameSourceRequest, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  renameSource(argument: _ledger_v1_RenameSourceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  renameSource(argument: _ledger_v1_RenameSourceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  renameSource(argument: _ledger_v1_RenameSourceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  renameSource(argument: _ledger_v1_RenameSourceRequest, callback: grpc.requestCallback<_ledger_v1_AdminSource__Output>): grpc.ClientUnaryCall;
  
  RestoreAccount(argument: _ledger_v1_RestoreAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  RestoreAccount(argument: _ledger_v1_RestoreAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  RestoreAccount(argument: _ledger_v1_RestoreAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  RestoreAccount(argument: _ledger_v1_RestoreAccountRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  restoreAccount(argument: _ledger_v1_RestoreAccountRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  restoreAccount(argument: _ledger_v1_RestoreAccountRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  restoreAccount(argument: _ledger_v1_RestoreAccountRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  restoreAccount(argument: _ledger_v1_RestoreAccountRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _ledger_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _ledger_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _ledger_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  RevokeKey(argument: _ledger_v1_RevokeKeyRequest, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _ledger_v1_RevokeKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _ledger_v1_RevokeKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _ledger_v1_RevokeKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  revokeKey(argument: _ledger_v1_RevokeKeyRequest, callback: grpc.requestCallback<_ledger_v1_Key__Output>): grpc.ClientUnaryCall;
  
  SetPlan(argument: _ledger_v1_SetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _ledger_v1_SetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _ledger_v1_SetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _ledger_v1_SetPlanRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _ledger_v1_SetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _ledger_v1_SetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _ledger_v1_SetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _ledger_v1_SetPlanRequest, callback: grpc.requestCallback<_ledger_v1_Account__Output>): grpc.ClientUnaryCall;
  
}

export interface AdminHandlers extends grpc.UntypedServiceImplementation {
  Categorise: grpc.handleUnaryCall<_ledger_v1_CategoriseRequest__Output, _ledger_v1_AdminEntry>;
  
  CreateAccount: grpc.handleUnaryCall<_ledger_v1_CreateAccountRequest__Output, _ledger_v1_Account>;
  
  CreateKey: grpc.handleUnaryCall<_ledger_v1_CreateKeyRequest__Output, _ledger_v1_NewKey>;
  
  CreateSource: grpc.handleUnaryCall<_ledger_v1_CreateSourceRequest__Output, _ledger_v1_AdminSource>;
  
  DeleteAccount: grpc.handleUnaryCall<_ledger_v1_DeleteAccountRequest__Output, _ledger_v1_Account>;
  
  EraseAccount: grpc.handleUnaryCall<_ledger_v1_EraseAccountRequest__Output, _ledger_v1_ErasedAccount>;
  
  ListAccountSources: grpc.handleUnaryCall<_ledger_v1_ListAccountSourcesRequest__Output, _ledger_v1_ListAccountSourcesResponse>;
  
  ListAccounts: grpc.handleUnaryCall<_ledger_v1_ListAccountsRequest__Output, _ledger_v1_ListAccountsResponse>;
  
  ListActions: grpc.handleUnaryCall<_ledger_v1_ListActionsRequest__Output, _ledger_v1_ListActionsResponse>;
  
  ListKeys: grpc.handleUnaryCall<_ledger_v1_ListKeysRequest__Output, _ledger_v1_ListKeysResponse>;
  
  ListUncategorised: grpc.handleUnaryCall<_ledger_v1_ListUncategorisedRequest__Output, _ledger_v1_ListUncategorisedResponse>;
  
  RemoveSource: grpc.handleUnaryCall<_ledger_v1_RemoveSourceRequest__Output, _ledger_v1_AdminSource>;
  
  RenameSource: grpc.handleUnaryCall<_ledger_v1_RenameSourceRequest__Output, _ledger_v1_AdminSource>;
  
  RestoreAccount: grpc.handleUnaryCall<_ledger_v1_RestoreAccountRequest__Output, _ledger_v1_Account>;
  
  RevokeKey: grpc.handleUnaryCall<_ledger_v1_RevokeKeyRequest__Output, _ledger_v1_Key>;
  
  SetPlan: grpc.handleUnaryCall<_ledger_v1_SetPlanRequest__Output, _ledger_v1_Account>;
  
}

export interface AdminDefinition extends grpc.ServiceDefinition {
  Categorise: MethodDefinition<_ledger_v1_CategoriseRequest, _ledger_v1_AdminEntry, _ledger_v1_CategoriseRequest__Output, _ledger_v1_AdminEntry__Output>
  CreateAccount: MethodDefinition<_ledger_v1_CreateAccountRequest, _ledger_v1_Account, _ledger_v1_CreateAccountRequest__Output, _ledger_v1_Account__Output>
  CreateKey: MethodDefinition<_ledger_v1_CreateKeyRequest, _ledger_v1_NewKey, _ledger_v1_CreateKeyRequest__Output, _ledger_v1_NewKey__Output>
  CreateSource: MethodDefinition<_ledger_v1_CreateSourceRequest, _ledger_v1_AdminSource, _ledger_v1_CreateSourceRequest__Output, _ledger_v1_AdminSource__Output>
  DeleteAccount: MethodDefinition<_ledger_v1_DeleteAccountRequest, _ledger_v1_Account, _ledger_v1_DeleteAccountRequest__Output, _ledger_v1_Account__Output>
  EraseAccount: MethodDefinition<_ledger_v1_EraseAccountRequest, _ledger_v1_ErasedAccount, _ledger_v1_EraseAccountRequest__Output, _ledger_v1_ErasedAccount__Output>
  ListAccountSources: MethodDefinition<_ledger_v1_ListAccountSourcesRequest, _ledger_v1_ListAccountSourcesResponse, _ledger_v1_ListAccountSourcesRequest__Output, _ledger_v1_ListAccountSourcesResponse__Output>
  ListAccounts: MethodDefinition<_ledger_v1_ListAccountsRequest, _ledger_v1_ListAccountsResponse, _ledger_v1_ListAccountsRequest__Output, _ledger_v1_ListAccountsResponse__Output>
  ListActions: MethodDefinition<_ledger_v1_ListActionsRequest, _ledger_v1_ListActionsResponse, _ledger_v1_ListActionsRequest__Output, _ledger_v1_ListActionsResponse__Output>
  ListKeys: MethodDefinition<_ledger_v1_ListKeysRequest, _ledger_v1_ListKeysResponse, _ledger_v1_ListKeysRequest__Output, _ledger_v1_ListKeysResponse__Output>
  ListUncategorised: MethodDefinition<_ledger_v1_ListUncategorisedRequest, _ledger_v1_ListUncategorisedResponse, _ledger_v1_ListUncategorisedRequest__Output, _ledger_v1_ListUncategorisedResponse__Output>
  RemoveSource: MethodDefinition<_ledger_v1_RemoveSourceRequest, _ledger_v1_AdminSource, _ledger_v1_RemoveSourceRequest__Output, _ledger_v1_AdminSource__Output>
  RenameSource: MethodDefinition<_ledger_v1_RenameSourceRequest, _ledger_v1_AdminSource, _ledger_v1_RenameSourceRequest__Output, _ledger_v1_AdminSource__Output>
  RestoreAccount: MethodDefinition<_ledger_v1_RestoreAccountRequest, _ledger_v1_Account, _ledger_v1_RestoreAccountRequest__Output, _ledger_v1_Account__Output>
  RevokeKey: MethodDefinition<_ledger_v1_RevokeKeyRequest, _ledger_v1_Key, _ledger_v1_RevokeKeyRequest__Output, _ledger_v1_Key__Output>
  SetPlan: MethodDefinition<_ledger_v1_SetPlanRequest, _ledger_v1_Account, _ledger_v1_SetPlanRequest__Output, _ledger_v1_Account__Output>
}
