// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "../contracts/test/TestToken.sol";
import {Campaign} from "./Campaign.sol";
import {RouterHandler} from "./RouterHandler.sol";

contract RouterInvariants is Campaign {
    RouterHandler private handler;

    function setUp() external {
        handler = new RouterHandler();
        _target(address(handler));
    }

    function invariant_routers() external view {
        address fillRouter = address(handler.fillRouter());
        address swapRouter = address(handler.swapRouter());
        _equal(swapRouter.balance, handler.leftInSwapRouter(0), "the swap router kept or paid out native currency");
        require(fillRouter.balance <= handler.leftInFillRouter(0), "the fill router kept native currency");
        for (uint256 at = 0; at < 2; ++at) {
            TestToken token = handler.tokens(at);
            uint256 left = handler.leftInSwapRouter(at + 1);
            _equal(token.balanceOf(swapRouter), left, "the swap router kept or paid out tokens");
            require(
                token.balanceOf(fillRouter) <= handler.leftInFillRouter(at + 1), "the fill router kept tokens"
            );
            uint256 due = handler.given(at) - handler.spent(at);
            _equal(token.balanceOf(handler.SOLVER()), due, "the solver's tokens were taken");
        }
    }
}
