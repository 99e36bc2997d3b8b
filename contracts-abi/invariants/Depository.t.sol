// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "../contracts/test/TestToken.sol";
import {Campaign} from "./Campaign.sol";
import {DepositoryHandler} from "./DepositoryHandler.sol";

contract DepositoryInvariants is Campaign {
    DepositoryHandler private handler;

    function setUp() external {
        handler = new DepositoryHandler();
        _target(address(handler));
    }

    function invariant_depository() external view {
        address depository = address(handler.depository());
        for (uint256 at = 0; at < 4; ++at) {
            address currency = handler.currencies(at);
            uint256 held = currency == address(0) ? depository.balance : TestToken(currency).balanceOf(depository);
            _equal(held, handler.deposited(at) - handler.withdrawn(at), "the depository lost or gained money");
        }
        for (uint256 at = 0; at < handler.requests(); ++at) {
            require(handler.ticks().counted(at) <= 1, "a request ran twice");
        }
        require(!handler.forged(), "a request ran that was not signed");
    }
}
