// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CallRunner} from "../contracts/CallRunner.sol";
import {Depository} from "../contracts/Depository.sol";
import {FillRouter} from "../contracts/FillRouter.sol";
import {SwapRouter} from "../contracts/SwapRouter.sol";
import {ForcedPayment} from "../contracts/test/ForcedPayment.sol";
import {ReentrantToken} from "../contracts/test/ReentrantToken.sol";
import {TestExchange} from "../contracts/test/TestExchange.sol";
import {TestToken} from "../contracts/test/TestToken.sol";
import {Cheats} from "./Campaign.sol";
import {HostileRecipient} from "./DepositoryHandler.sol";

/// @notice A solver pays through the routers, which may take all its tokens; others write the calls, and try to take them.
contract RouterHandler is Cheats {
    address public constant SOLVER = address(0x501E);
    address payable private constant OUTSIDER = payable(address(0xBAD));

    Depository private immutable depository = new Depository(address(this), address(this));
    FillRouter public immutable fillRouter = new FillRouter();
    SwapRouter public immutable swapRouter = new SwapRouter();
    TestExchange private immutable exchange = new TestExchange();
    HostileRecipient private immutable hostile = new HostileRecipient();
    /// @notice A plain token and a hostile one.
    TestToken[2] public tokens;

    /// @notice Tokens that the solver was given, and the most that its own transactions may have taken.
    uint256[2] public given;
    uint256[2] public spent;
    /// @notice What others left in the routers beside any payment: native currency, and the tokens.
    uint256[3] public leftInSwapRouter;
    uint256[3] public leftInFillRouter;

    constructor() {
        tokens[0] = new TestToken("Plain", "PLN", 6);
        tokens[1] = new ReentrantToken("Hostile", "HST", 6);
        vm.deal(address(exchange), 1e30);
        for (uint256 at = 0; at < 2; ++at) {
            tokens[at].mint(address(exchange), 1e30);
            vm.prank(SOLVER);
            tokens[at].approve(address(fillRouter), type(uint256).max);
            vm.prank(SOLVER);
            tokens[at].approve(address(swapRouter), type(uint256).max);
        }
    }

    function fund(uint256 token, uint96 amount) public {
        tokens[token % 2].mint(SOLVER, amount);
        given[token % 2] += amount;
    }

    function leave(uint256 token, uint96 amount, bool inSwapRouter) external {
        address router = inSwapRouter ? address(swapRouter) : address(fillRouter);
        token %= 3;
        vm.deal(address(this), amount);
        if (token == 0) new ForcedPayment{value: amount}(payable(router));
        else tokens[token - 1].mint(router, amount);
        if (inSwapRouter) leftInSwapRouter[token] += amount;
        else leftInFillRouter[token] += amount;
    }

    /// @notice The exchange takes and gives other parts than it was asked for.
    function setHonesty(uint256 taken, uint256 given_) external {
        uint256[4] memory parts = [uint256(10_000), 10_000, 9_900, 0];
        exchange.setHonesty(parts[taken % 4], parts[given_ % 4]);
    }

    /// @notice Hostile tokens and recipients call a router, or take by its allowance, while they are paid.
    function arm(uint256 how, uint96 amount) external {
        how %= 4;
        bytes memory payload = abi.encodeCall(FillRouter.fillErc20, (address(tokens[0]), OUTSIDER, amount));
        address target = address(fillRouter);
        if (how == 1) payload = abi.encodeCall(FillRouter.fillNative, (OUTSIDER, amount, 100_000));
        if (how == 2) {
            target = address(swapRouter);
            payload = "";
        }
        if (how == 3) {
            target = address(tokens[0]);
            payload = abi.encodeCall(TestToken.transferFrom, (SOLVER, OUTSIDER, amount));
        }
        hostile.arm(target, payload);
        ReentrantToken(address(tokens[1])).arm(target, payload);
    }

    function fillNative(uint96 amount, uint256 to, uint256 gasLimit) external {
        vm.deal(SOLVER, amount);
        vm.prank(SOLVER);
        fillRouter.fillNative{value: amount}(_recipient(to), amount, gasLimit % 500_000);
    }

    function fillErc20(uint256 token, uint96 amount, uint256 to) external {
        fund(token, amount);
        vm.prank(SOLVER);
        fillRouter.fillErc20(address(tokens[token % 2]), _recipient(to), amount);
        spent[token % 2] += amount;
    }

    function fillCalls(uint256 token, uint96 amount, uint96 value, uint256 what, uint256 to) external {
        fund(token, amount);
        vm.deal(SOLVER, value);
        CallRunner.Call[] memory calls = _calls(what, token, amount, value);
        vm.prank(SOLVER);
        fillRouter.fillCalls{value: value}(calls, address(tokens[token % 2]), amount, _recipient(to));
        spent[token % 2] += amount;
    }

    /// @param kind to a recipient, into the depository, or as a fill with calls after the swap
    function swap(uint256 currencies, uint96 amount, uint96 minimum, uint256 kind, uint256 what, uint256 to) external {
        SwapRouter.Swap memory wish = _swap(currencies, amount, minimum, what);
        uint256 value = wish.tokenIn == address(0) ? amount : 0;
        vm.deal(SOLVER, value);
        if (value == 0) fund(wish.tokenIn == address(tokens[0]) ? 0 : 1, amount);
        CallRunner.Call[] memory calls = new CallRunner.Call[](0);
        if (kind % 4 == 3) calls = _calls(what / 8, currencies, minimum, 0);
        address payable recipient = _recipient(to);
        vm.prank(SOLVER);
        if (kind % 4 == 0) swapRouter.swapTo{value: value}(wish, recipient, bytes32(0), amount / 100, OUTSIDER);
        else if (kind % 4 == 1) swapRouter.swapAndDeposit{value: value}(wish, address(depository), SOLVER, bytes32(0));
        else swapRouter.fillSwap{value: value}(wish, calls, recipient, 0);
        if (value == 0) spent[wish.tokenIn == address(tokens[0]) ? 0 : 1] += amount;
    }

    /// @notice What an outsider asks of the routers costs the solver nothing.
    function callAsOutsider(uint256 token, uint96 amount, uint256 what, bool bySwap) external {
        CallRunner.Call[] memory calls = _calls(what, token, amount, 0);
        vm.prank(OUTSIDER);
        if (!bySwap) {
            fillRouter.fillCalls(calls, address(0), 0, OUTSIDER);
        } else {
            address out = address(tokens[token % 2]);
            swapRouter.swapTo(
                SwapRouter.Swap(calls, address(0), 0, out, 0, type(uint256).max, OUTSIDER), OUTSIDER, 0, 0, OUTSIDER
            );
        }
    }

    function _swap(uint256 currencies, uint96 amount, uint96 minimum, uint256 what)
        private
        view
        returns (SwapRouter.Swap memory wish)
    {
        address[3] memory known = [address(0), address(tokens[0]), address(tokens[1])];
        wish.tokenIn = known[currencies % 3];
        wish.tokenOut = known[(currencies + 1 + (currencies / 3) % 2) % 3];
        (wish.amountIn, wish.minimumOut, wish.deadline) = (amount, minimum, type(uint256).max);
        wish.leftoverTo = OUTSIDER;
        bool native = wish.tokenIn == address(0);
        // Every other one leaves what it gets in the runner, the others send it to the router.
        address payable to = payable(what % 2 == 0 ? address(swapRouter) : OUTSIDER);
        wish.calls = new CallRunner.Call[](native ? 1 : 2);
        if (!native) {
            bytes memory approval = abi.encodeCall(TestToken.approve, (address(exchange), type(uint256).max));
            wish.calls[0] = CallRunner.Call(wish.tokenIn, approval, 0);
        }
        bytes memory data = abi.encodeCall(TestExchange.swap, (wish.tokenIn, amount, wish.tokenOut, minimum, to));
        wish.calls[native ? 0 : 1] = CallRunner.Call(address(exchange), data, native ? amount : 0);
    }

    /// @dev One call that pays, takes, or leaves an allowance behind.
    function _calls(uint256 what, uint256 token, uint96 amount, uint96 value)
        private
        view
        returns (CallRunner.Call[] memory calls)
    {
        address asset = address(tokens[token % 2]);
        calls = new CallRunner.Call[](1);
        what %= 8;
        if (what == 0) calls[0] = CallRunner.Call(asset, abi.encodeCall(TestToken.transfer, (OUTSIDER, amount / 2)), 0);
        if (what == 1) {
            calls[0] = CallRunner.Call(asset, abi.encodeCall(TestToken.transferFrom, (SOLVER, OUTSIDER, amount)), 0);
        }
        if (what == 2) calls[0] = CallRunner.Call(asset, abi.encodeCall(TestToken.approve, (OUTSIDER, amount)), 0);
        if (what == 3) calls[0] = CallRunner.Call(address(hostile), "", value / 2);
        if (what == 4) {
            bytes memory data = abi.encodeCall(FillRouter.fillErc20, (asset, OUTSIDER, amount));
            calls[0] = CallRunner.Call(address(fillRouter), data, 0);
        }
        if (what == 5) {
            bytes memory data = abi.encodeCall(TestToken.transferFrom, (address(fillRouter), OUTSIDER, amount));
            calls[0] = CallRunner.Call(asset, data, 0);
        }
        if (what == 6) {
            bytes memory data = abi.encodeCall(TestToken.transferFrom, (address(swapRouter), OUTSIDER, amount));
            calls[0] = CallRunner.Call(asset, data, 0);
        }
        if (what == 7) calls[0] = CallRunner.Call(OUTSIDER, "", value);
    }

    function _recipient(uint256 to) private view returns (address payable) {
        return [payable(address(0xBEEF)), payable(address(hostile)), OUTSIDER][to % 3];
    }
}
