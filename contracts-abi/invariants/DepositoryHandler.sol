// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "../contracts/Depository.sol";
import {FeeToken} from "../contracts/test/FeeToken.sol";
import {ForcedPayment} from "../contracts/test/ForcedPayment.sol";
import {ReentrantToken} from "../contracts/test/ReentrantToken.sol";
import {TestToken} from "../contracts/test/TestToken.sol";
import {Cheats} from "./Campaign.sol";

/// @notice Calls back when it is paid.
contract HostileRecipient {
    address private target;
    bytes private payload;

    function arm(address target_, bytes calldata payload_) external {
        (target, payload) = (target_, payload_);
    }

    receive() external payable {
        if (target != address(0)) {
            (bool ok,) = target.call{value: msg.value}(payload);
            if (!ok) (ok,) = target.call(payload);
        }
    }
}

/// @notice Counts how often the calls of a request ran.
contract Ticks {
    mapping(uint256 request => uint256) public counted;

    function tick(uint256 request) external {
        ++counted[request];
    }
}

/// @notice Deposits, and submits requests that the allocator signed: genuine, altered, late, again and from within.
contract DepositoryHandler is Cheats {
    uint256 private constant ALLOCATOR_KEY = 0xA110C;
    uint256 private constant OTHER_KEY = 0x57A6;
    uint256 private constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    struct Signed {
        bytes request;
        bytes signature;
        uint256 currency;
        uint256 amount;
    }

    Depository public immutable depository;
    Ticks public immutable ticks = new Ticks();
    HostileRecipient private immutable hostile = new HostileRecipient();
    /// @notice Currencies: the native one first (zero), then a plain token, one that takes a fee, a hostile one.
    address[4] public currencies;

    Signed[] private signed;
    uint256[4] public deposited;
    uint256[4] public withdrawn;
    /// @notice A request ran that the allocator did not sign as it is, or that was late.
    bool public forged;

    constructor() {
        depository = new Depository(address(this), vm.addr(ALLOCATOR_KEY));
        currencies[1] = address(new TestToken("Plain", "PLN", 6));
        currencies[2] = address(new FeeToken("Fee", "FEE", 6));
        currencies[3] = address(new ReentrantToken("Hostile", "HST", 6));
    }

    function requests() external view returns (uint256) {
        return signed.length;
    }

    function deposit(uint256 currency, uint96 amount, address depositor, bytes32 id, bool byAllowance) external {
        currency %= 4;
        if (currency == 0) {
            vm.deal(address(this), amount);
            depository.depositNative{value: amount}(depositor, id);
        } else {
            TestToken token = TestToken(currencies[currency]);
            token.mint(address(this), amount);
            token.approve(address(depository), amount);
            if (byAllowance) depository.depositErc20(depositor, address(token), id);
            else depository.depositErc20(depositor, address(token), amount, id);
        }
        deposited[currency] += currency == 2 ? amount - amount / 100 : amount;
    }

    function force(uint96 amount) external {
        vm.deal(address(this), amount);
        new ForcedPayment{value: amount}(payable(address(depository)));
        deposited[0] += amount;
    }

    /// @notice The allocator signs a withdrawal of what the depository has, or of more.
    function sign(uint256 currency, uint96 amount, uint256 to, bool allowFailure, uint256 nonce) external {
        currency %= 4;
        address recipient = [address(0xBEEF), address(hostile), address(this)][to % 3];
        Depository.CallRequest memory request;
        request.nonce = nonce;
        request.expiration = block.timestamp + 1 days;
        request.calls = new Depository.Call[](2);
        request.calls[0] = currency == 0
            ? Depository.Call(recipient, "", amount, allowFailure)
            : Depository.Call(
                currencies[currency], abi.encodeCall(TestToken.transfer, (recipient, amount)), 0, allowFailure
            );
        bytes memory tick = abi.encodeCall(Ticks.tick, (signed.length));
        request.calls[1] = Depository.Call(address(ticks), tick, 0, false);
        signed.push(Signed(abi.encode(request), _sign(ALLOCATOR_KEY, _digest(request)), currency, amount));
    }

    /// @notice Tokens and recipients submit a signed request, or deposit, while they are paid.
    function arm(uint256 which, bool withDeposit, bytes32 id) external {
        bytes memory payload = abi.encodeCall(Depository.depositNative, (address(this), id));
        if (!withDeposit && signed.length > 0) {
            (Depository.CallRequest memory request, Signed storage found) = _at(which);
            payload = abi.encodeCall(Depository.execute, (request, found.signature));
        }
        hostile.arm(address(depository), payload);
        ReentrantToken(currencies[3]).arm(address(depository), payload);
    }

    function submit(uint256 which) external {
        (Depository.CallRequest memory request, Signed storage found) = _at(which);
        Depository.CallResult[] memory results = depository.execute(request, found.signature);
        if (request.expiration < block.timestamp) forged = true;
        if (results[0].success) withdrawn[found.currency] += found.amount;
    }

    /// @notice Anything that differs from what was signed.
    function submitAltered(uint256 which, uint256 how, uint96 other) external {
        (Depository.CallRequest memory request, Signed storage found) = _at(which);
        bytes memory signature = found.signature;
        how %= 7;
        if (how == 0) request.nonce ^= uint256(other) + 1;
        if (how == 1) request.expiration += uint256(other) + 1;
        if (how == 2) request.calls[0].to = address(uint160(request.calls[0].to) ^ (uint160(other) + 1));
        if (how == 3) request.calls[0].value += uint256(other) + 1;
        if (how == 4) signature = _sign(OTHER_KEY, _digest(request));
        if (how == 5) signature = _mirrored(signature);
        if (how == 6) signature = abi.encodePacked(signature, other);
        depository.execute(request, signature);
        forged = true;
    }

    function wait_(uint32 seconds_) external {
        vm.warp(block.timestamp + seconds_ % 2 days);
    }

    receive() external payable {}

    function _at(uint256 which) private view returns (Depository.CallRequest memory request, Signed storage found) {
        found = signed[which % signed.length];
        request = abi.decode(found.request, (Depository.CallRequest));
    }

    /// @dev The other signature of the same key and text, which only its `s` tells apart.
    function _mirrored(bytes memory signature) private pure returns (bytes memory) {
        (bytes32 r, uint256 s, uint8 v) = (bytes32(0), 0, uint8(signature[64]));
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
        }
        return abi.encodePacked(r, ORDER - s, v == 27 ? uint8(28) : uint8(27));
    }

    function _digest(Depository.CallRequest memory request) private view returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](request.calls.length);
        for (uint256 at = 0; at < hashes.length; ++at) {
            Depository.Call memory item = request.calls[at];
            hashes[at] = keccak256(
                abi.encode(depository._CALL_TYPEHASH(), item.to, keccak256(item.data), item.value, item.allowFailure)
            );
        }
        bytes32 hash = keccak256(
            abi.encode(
                depository._CALL_REQUEST_TYPEHASH(),
                keccak256(abi.encodePacked(hashes)),
                request.nonce,
                request.expiration
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("RelayDepository"),
                keccak256("1"),
                block.chainid,
                address(depository)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, hash));
    }
}
