// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AuthorizationToken} from "../contracts/test/AuthorizationToken.sol";
import {Campaign} from "./Campaign.sol";
import {PermitHandler} from "./PermitHandler.sol";

contract PermitInvariants is Campaign {
    PermitHandler private handler;

    function setUp() external {
        handler = new PermitHandler();
        _target(address(handler));
    }

    function invariant_permits() external view {
        address depository = address(handler.depository());
        address router = address(handler.router());
        for (uint256 at = 0; at < 2; ++at) {
            AuthorizationToken token = handler.tokens(at);
            uint256 moved = handler.moved(0, at) + handler.moved(1, at);
            _equal(token.balanceOf(depository), moved, "the depository got something else than was signed");
            for (uint256 owner = 0; owner < 2; ++owner) {
                uint256 left = handler.given(owner, at) - handler.moved(owner, at);
                _equal(token.balanceOf(handler.owners(owner)), left, "an owner paid something else than was signed");
            }
            _equal(token.balanceOf(router), 0, "the permit router kept tokens");
            _equal(token.allowance(router, depository), 0, "the permit router left an allowance");
            for (uint256 which = 0; which < handler.signatures(); ++which) {
                _equal(token.balanceOf(handler.receiverAt(which)), 0, "a permit receiver kept tokens");
            }
        }
        require(!handler.usedTwice(), "an owner's order was paid twice");
        require(!handler.forged(), "tokens moved by terms that were not signed");
    }
}
