// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice One owner, changed at once or by a two-step handover that the future owner asks for.
abstract contract Ownership {
    error Unauthorized();
    error NewOwnerIsZeroAddress();
    error NoHandoverRequest();

    event OwnershipTransferred(address indexed oldOwner, address indexed newOwner);
    event OwnershipHandoverRequested(address indexed pendingOwner);
    event OwnershipHandoverCanceled(address indexed pendingOwner);

    /// @notice How long a handover request stays valid.
    uint256 private constant HANDOVER_VALIDITY = 48 hours;

    /// @notice The account that may replace the allocator.
    address public owner;

    /// @notice Last second at which the owner may complete the handover to an account; zero without a request.
    mapping(address pendingOwner => uint256 expiresAt) public ownershipHandoverExpiresAt;

    modifier onlyOwner() {
        if (msg.sender != owner) revert Unauthorized();
        _;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner == address(0)) revert NewOwnerIsZeroAddress();
        _setOwner(newOwner);
    }

    /// @notice Gives the contract up: nobody can replace the allocator afterwards.
    function renounceOwnership() external onlyOwner {
        _setOwner(address(0));
    }

    /// @notice The caller asks to become the owner within the next 48 hours.
    function requestOwnershipHandover() external {
        ownershipHandoverExpiresAt[msg.sender] = block.timestamp + HANDOVER_VALIDITY;
        emit OwnershipHandoverRequested(msg.sender);
    }

    function cancelOwnershipHandover() external {
        delete ownershipHandoverExpiresAt[msg.sender];
        emit OwnershipHandoverCanceled(msg.sender);
    }

    function completeOwnershipHandover(address pendingOwner) external onlyOwner {
        if (block.timestamp > ownershipHandoverExpiresAt[pendingOwner]) revert NoHandoverRequest();
        delete ownershipHandoverExpiresAt[pendingOwner];
        _setOwner(pendingOwner);
    }

    function _setOwner(address newOwner) internal {
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }
}
