// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "../contracts/Depository.sol";
import {PermitRouter} from "../contracts/PermitRouter.sol";
import {AuthorizationToken} from "../contracts/test/AuthorizationToken.sol";
import {Cheats} from "./Campaign.sol";

/// @notice A token with permits that calls others in the middle of its transfers.
contract HostilePermitToken is AuthorizationToken {
    address private target;
    bytes private payload;

    constructor() AuthorizationToken("Hostile", "HST", 6) {}

    function arm(address target_, bytes calldata payload_) external {
        (target, payload) = (target_, payload_);
    }

    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (target != address(0)) {
            (bool ok,) = target.call(payload);
            ok;
        }
    }
}

interface IPermit2Domain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// @notice Signs for deposits in each of the three ways, and submits them: genuine, altered, late, again and from within.
contract PermitHandler is Cheats {
    enum Way {
        Authorization,
        Permit,
        Permit2
    }

    struct Signed {
        PermitRouter.Terms terms;
        bytes signature;
        Way way;
    }

    address private constant PERMIT2 = address(0x22D473030F116dDEE9F6B43aC78BA3);
    bytes32 private constant PERMISSION = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant WITNESS = keccak256("DepositWitness(address depository,bytes32 orderId)");
    bytes32 private constant BATCH = keccak256(
        "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,DepositWitness witness)DepositWitness(address depository,bytes32 orderId)TokenPermissions(address token,uint256 amount)"
    );

    Depository public immutable depository;
    PermitRouter public immutable router;
    AuthorizationToken[2] public tokens;
    address[2] public owners;

    Signed[] private signed;
    /// @notice What was given to an owner, and what the owner's signatures that were used amount to.
    mapping(uint256 owner => mapping(uint256 token => uint256)) public given;
    mapping(uint256 owner => mapping(uint256 token => uint256)) public moved;
    mapping(bytes32 key => uint256) private uses;
    bool public usedTwice;
    bool public forged;

    constructor() {
        depository = new Depository(address(this), address(this));
        vm.etch(PERMIT2, vm.parseJsonBytes(vm.readFile("published/Permit2.json"), ".bytecode"));
        router = new PermitRouter(depository, PERMIT2);
        tokens[0] = new AuthorizationToken("Plain", "PLN", 6);
        tokens[1] = new HostilePermitToken();
        for (uint256 at = 0; at < 2; ++at) {
            owners[at] = vm.addr(_key(at));
            for (uint256 token = 0; token < 2; ++token) {
                vm.prank(owners[at]);
                tokens[token].approve(PERMIT2, type(uint256).max);
            }
        }
    }

    function fund(uint256 owner, uint256 token, uint96 amount) public {
        tokens[token % 2].mint(owners[owner % 2], amount);
        given[owner % 2][token % 2] += amount;
    }

    /// @notice An owner signs; few order ids, so that some are signed for more than once.
    function sign(uint256 owner, uint256 token, uint256 way, uint64 amount, uint8 order) external {
        PermitRouter.Terms memory terms = PermitRouter.Terms(
            bytes32(uint256(order % 2)), owners[owner % 2], address(tokens[token % 2]), amount, block.timestamp + 1 days
        );
        Way chosen = Way(way % 3);
        fund(owner, token, amount);
        signed.push(Signed(terms, _sign(_key(owner % 2), _digest(terms, chosen)), chosen));
    }

    function submit(uint256 which) external {
        Signed storage found = signed[which % signed.length];
        _submit(found.terms, found.signature, found.way);
        if (block.timestamp > found.terms.deadline) forged = true;
        bytes32 key = router.depositKey(found.terms.orderId, found.terms.owner, found.terms.token);
        if (++uses[key] > 1) usedTwice = true;
        moved[found.terms.owner == owners[0] ? 0 : 1][found.terms.token == address(tokens[0]) ? 0 : 1] +=
            found.terms.amount;
    }

    /// @notice A permit may reach the token before the router; no other way of signing may.
    function submitToToken(uint256 which) external {
        Signed storage found = signed[which % signed.length];
        (bytes memory signature, PermitRouter.Terms memory terms) = (found.signature, found.terms);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        AuthorizationToken token = AuthorizationToken(terms.token);
        if (found.way == Way.Permit) {
            token.permit(
                terms.owner, router.receiverOf(terms), terms.amount, terms.deadline, uint8(signature[64]), r, s
            );
        } else {
            bytes32 key = router.depositKey(terms.orderId, terms.owner, terms.token);
            token.receiveWithAuthorization(
                terms.owner, address(router), terms.amount, 0, terms.deadline, key, signature
            );
            forged = true;
        }
    }

    /// @notice Anything that differs from what was signed.
    function submitAltered(uint256 which, uint256 how, uint64 other) external {
        Signed storage found = signed[which % signed.length];
        PermitRouter.Terms memory terms = found.terms;
        Way way = found.way;
        how %= 6;
        if (how == 0) terms.orderId = bytes32(uint256(terms.orderId) + 4 + other);
        if (how == 1) terms.amount += uint256(other) + 1;
        if (how == 2 && terms.amount > 0) terms.amount -= 1 + other % terms.amount;
        else if (how == 2) return;
        if (how == 3) terms.deadline += uint256(other) + 1;
        if (how == 4) terms.owner = terms.owner == owners[0] ? owners[1] : owners[0];
        if (how == 5) way = Way((uint256(way) + 1 + other % 2) % 3);
        _submit(terms, found.signature, way);
        forged = true;
    }

    /// @notice The hostile token submits a signed deposit while it moves.
    function arm(uint256 which, bool byDepository) external {
        Signed storage found = signed[which % signed.length];
        bytes memory payload = byDepository
            ? abi.encodeCall(Depository.depositNative, (address(this), found.terms.orderId))
            : _call(found.terms, found.signature, found.way);
        HostilePermitToken(address(tokens[1])).arm(byDepository ? address(depository) : address(router), payload);
    }

    function wait_(uint32 seconds_) external {
        vm.warp(block.timestamp + seconds_ % 2 hours);
    }

    function signatures() external view returns (uint256) {
        return signed.length;
    }

    function receiverAt(uint256 which) external view returns (address receiver) {
        return router.receiverOf(signed[which].terms);
    }

    function _submit(PermitRouter.Terms memory terms, bytes memory signature, Way way) private {
        (bool done,) = address(router).call(_call(terms, signature, way));
        require(done, "refused");
    }

    function _call(PermitRouter.Terms memory terms, bytes memory signature, Way way)
        private
        pure
        returns (bytes memory)
    {
        if (way == Way.Authorization) return abi.encodeCall(PermitRouter.depositAuthorized, (terms, signature));
        if (way == Way.Permit) return abi.encodeCall(PermitRouter.depositPermitted, (terms, signature));
        return abi.encodeCall(PermitRouter.depositWithPermit2, (terms, signature));
    }

    function _digest(PermitRouter.Terms memory terms, Way way) private view returns (bytes32) {
        AuthorizationToken token = AuthorizationToken(terms.token);
        bytes32 key = router.depositKey(terms.orderId, terms.owner, terms.token);
        bytes32 domain = token.DOMAIN_SEPARATOR();
        bytes32 hash;
        if (way == Way.Authorization) {
            bytes32 kind = token.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
            hash = keccak256(abi.encode(kind, terms.owner, router, terms.amount, 0, terms.deadline, key));
        } else if (way == Way.Permit) {
            uint256 nonce = token.nonces(terms.owner);
            address spender = router.receiverOf(terms);
            hash = keccak256(
                abi.encode(token.PERMIT_TYPEHASH(), terms.owner, spender, terms.amount, nonce, terms.deadline)
            );
        } else {
            domain = IPermit2Domain(PERMIT2).DOMAIN_SEPARATOR();
            bytes32 permission = keccak256(abi.encode(PERMISSION, terms.token, terms.amount));
            bytes32 witness = keccak256(abi.encode(WITNESS, depository, terms.orderId));
            bytes32 permitted = keccak256(abi.encodePacked(permission));
            hash = keccak256(abi.encode(BATCH, permitted, router, uint256(key), terms.deadline, witness));
        }
        return keccak256(abi.encodePacked(hex"1901", domain, hash));
    }

    function _key(uint256 owner) private pure returns (uint256) {
        return 0x0111 + owner;
    }
}
