import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Account as _ledger_v1_Account, Account__Output as _ledger_v1_Account__Output } from './ledger/v1/Account';
import type { Action as _ledger_v1_Action, Action__Output as _ledger_v1_Action__Output } from './ledger/v1/Action';
import type { AdminClient as _ledger_v1_AdminClient, AdminDefinition as _ledger_v1_AdminDefinition } from './ledger/v1/Admin';
import type { AdminEntry as _ledger_v1_AdminEntry, AdminEntry__Output as _ledger_v1_AdminEntry__Output } from './ledger/v1/AdminEntry';
import type { AdminSource as _ledger_v1_AdminSource, AdminSource__Output as _ledger_v1_AdminSource__Output } from './ledger/v1/AdminSource';
import type { CategoriseRequest as _ledger_v1_CategoriseRequest, CategoriseRequest__Output as _ledger_v1_CategoriseRequest__Output } from './ledger/v1/CategoriseRequest';
import type { CreateAccountRequest as _ledger_v1_CreateAccountRequest, CreateAccountRequest__Output as _ledger_v1_CreateAccountRequest__Output } from './ledger/v1/CreateAccountRequest';
import type { CreateKeyRequest as _ledger_v1_CreateKeyRequest, CreateKeyRequest__Output as _ledger_v1_CreateKeyRequest__Output } from './ledger/v1/CreateKeyRequest';
import type { CreateSourceRequest as _ledger_v1_CreateSourceRequest, CreateSourceRequest__Output as _ledger_v1_CreateSourceRequest__Output } from './ledger/v1/CreateSourceRequest';
import type { DeleteAccountRequest as _ledger_v1_DeleteAccountRequest, DeleteAccountRequest__Output as _ledger_v1_DeleteAccountRequest__Output } from './ledger/v1/DeleteAccountRequest';
import type { EraseAccountRequest as _ledger_v1_EraseAccountRequest, EraseAccountRequest__Output as _ledger_v1_EraseAccountRequest__Output } from './ledger/v1/EraseAccountRequest';
import type { ErasedAccount as _ledger_v1_ErasedAccount, ErasedAccount__Output as _ledger_v1_ErasedAccount__Output } from './ledger/v1/ErasedAccount';
import type { Key as _ledger_v1_Key, Key__Output as _ledger_v1_Key__Output } from './ledger/v1/Key';
import type { ListAccountSourcesRequest as _ledger_v1_ListAccountSourcesRequest, ListAccountSourcesRequest__Output as _ledger_v1_ListAccountSourcesRequest__Output } from './ledger/v1/ListAccountSourcesRequest';
import type { ListAccountSourcesResponse as _ledger_v1_ListAccountSourcesResponse, ListAccountSourcesResponse__Output as _ledger_v1_ListAccountSourcesResponse__Output } from './ledger/v1/ListAccountSourcesResponse';
import type { ListAccountsRequest as _ledger_v1_ListAccountsRequest, ListAccountsRequest__Output as _ledger_v1_ListAccountsRequest__Output } from './ledger/v1/ListAccountsRequest';
import type { ListAccountsResponse as _ledger_v1_ListAccountsResponse, ListAccountsResponse__Output as _ledger_v1_ListAccountsResponse__Output } from './ledger/v1/ListAccountsResponse';
import type { ListActionsRequest as _ledger_v1_ListActionsRequest, ListActionsRequest__Output as _ledger_v1_ListActionsRequest__Output } from './ledger/v1/ListActionsRequest';
import type { ListActionsResponse as _ledger_v1_ListActionsResponse, ListActionsResponse__Output as _ledger_v1_ListActionsResponse__Output } from './ledger/v1/ListActionsResponse';
import type { ListKeysRequest as _ledger_v1_ListKeysRequest, ListKeysRequest__Output as _ledger_v1_ListKeysRequest__Output } from './ledger/v1/ListKeysRequest';
import type { ListKeysResponse as _ledger_v1_ListKeysResponse, ListKeysResponse__Output as _ledger_v1_ListKeysResponse__Output } from './ledger/v1/ListKeysResponse';
import type { ListUncategorisedRequest as _ledger_v1_ListUncategorisedRequest, ListUncategorisedRequest__Output as _ledger_v1_ListUncategorisedRequest__Output } from './ledger/v1/ListUncategorisedRequest';
import type { ListUncategorisedResponse as _ledger_v1_ListUncategorisedResponse, ListUncategorisedResponse__Output as _ledger_v1_ListUncategorisedResponse__Output } from './ledger/v1/ListUncategorisedResponse';
import type { NewKey as _ledger_v1_NewKey, NewKey__Output as _ledger_v1_NewKey__Output } from './ledger/v1/NewKey';
import type { RemoveSourceRequest as _ledger_v1_RemoveSourceRequest, RemoveSourceRequest__Output as _ledger_v1_RemoveSourceRequest__Output } from './ledger/v1/RemoveSourceRequest';
import type { RenameSourceRequest as _ledger_v1_RenameSourceRequest, RenameSourceRequest__Output as _ledger_v1_RenameSourceRequest__Output } from './ledger/v1/RenameSourceRequest';
import type { RestoreAccountRequest as _ledger_v1_RestoreAccountRequest, RestoreAccountRequest__Output as _ledger_v1_RestoreAccountRequest__Output } from './ledger/v1/RestoreAccountRequest';
import type { RevokeKeyRequest as _ledger_v1_RevokeKeyRequest, RevokeKeyRequest__Output as _ledger_v1_RevokeKeyRequest__Output } from './ledger/v1/RevokeKeyRequest';
import type { SetPlanRequest as _ledger_v1_SetPlanRequest, SetPlanRequest__Output as _ledger_v1_SetPlanRequest__Output } from './ledger/v1/SetPlanRequest';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  ledger: {
    v1: {
      Account: MessageTypeDefinition<_ledger_v1_Account, _ledger_v1_Account__Output>
      Action: MessageTypeDefinition<_ledger_v1_Action, _ledger_v1_Action__Output>
      Admin: SubtypeConstructor<typeof grpc.Client, _ledger_v1_AdminClient> & { service: _ledger_v1_AdminDefinition }
      AdminEntry: MessageTypeDefinition<_ledger_v1_AdminEntry, _ledger_v1_AdminEntry__Output>
      AdminSource: MessageTypeDefinition<_ledger_v1_AdminSource, _ledger_v1_AdminSource__Output>
      CategoriseRequest: MessageTypeDefinition<_ledger_v1_CategoriseRequest, _ledger_v1_CategoriseRequest__Output>
      CreateAccountRequest: MessageTypeDefinition<_ledger_v1_CreateAccountRequest, _ledger_v1_CreateAccountRequest__Output>
      CreateKeyRequest: MessageTypeDefinition<_ledger_v1_CreateKeyRequest, _ledger_v1_CreateKeyRequest__Output>
      CreateSourceRequest: MessageTypeDefinition<_ledger_v1_CreateSourceRequest, _ledger_v1_CreateSourceRequest__Output>
      DeleteAccountRequest: MessageTypeDefinition<_ledger_v1_DeleteAccountRequest, _ledger_v1_DeleteAccountRequest__Output>
      EraseAccountRequest: MessageTypeDefinition<_ledger_v1_EraseAccountRequest, _ledger_v1_EraseAccountRequest__Output>
      ErasedAccount: MessageTypeDefinition<_ledger_v1_ErasedAccount, _ledger_v1_ErasedAccount__Output>
      Key: MessageTypeDefinition<_ledger_v1_Key, _ledger_v1_Key__Output>
      ListAccountSourcesRequest: MessageTypeDefinition<_ledger_v1_ListAccountSourcesRequest, _ledger_v1_ListAccountSourcesRequest__Output>
      ListAccountSourcesResponse: MessageTypeDefinition<_ledger_v1_ListAccountSourcesResponse, _ledger_v1_ListAccountSourcesResponse__Output>
      ListAccountsRequest: MessageTypeDefinition<_ledger_v1_ListAccountsRequest, _ledger_v1_ListAccountsRequest__Output>
      ListAccountsResponse: MessageTypeDefinition<_ledger_v1_ListAccountsResponse, _ledger_v1_ListAccountsResponse__Output>
      ListActionsRequest: MessageTypeDefinition<_ledger_v1_ListActionsRequest, _ledger_v1_ListActionsRequest__Output>
      ListActionsResponse: MessageTypeDefinition<_ledger_v1_ListActionsResponse, _ledger_v1_ListActionsResponse__Output>
      ListKeysRequest: MessageTypeDefinition<_ledger_v1_ListKeysRequest, _ledger_v1_ListKeysRequest__Output>
      ListKeysResponse: MessageTypeDefinition<_ledger_v1_ListKeysResponse, _ledger_v1_ListKeysResponse__Output>
      ListUncategorisedRequest: MessageTypeDefinition<_ledger_v1_ListUncategorisedRequest, _ledger_v1_ListUncategorisedRequest__Output>
      ListUncategorisedResponse: MessageTypeDefinition<_ledger_v1_ListUncategorisedResponse, _ledger_v1_ListUncategorisedResponse__Output>
      NewKey: MessageTypeDefinition<_ledger_v1_NewKey, _ledger_v1_NewKey__Output>
      RemoveSourceRequest: MessageTypeDefinition<_ledger_v1_RemoveSourceRequest, _ledger_v1_RemoveSourceRequest__Output>
      RenameSourceRequest: MessageTypeDefinition<_ledger_v1_RenameSourceRequest, _ledger_v1_RenameSourceRequest__Output>
      RestoreAccountRequest: MessageTypeDefinition<_ledger_v1_RestoreAccountRequest, _ledger_v1_RestoreAccountRequest__Output>
      RevokeKeyRequest: MessageTypeDefinition<_ledger_v1_RevokeKeyRequest, _ledger_v1_RevokeKeyRequest__Output>
      SetPlanRequest: MessageTypeDefinition<_ledger_v1_SetPlanRequest, _ledger_v1_SetPlanRequest__Output>
    }
  }
}

