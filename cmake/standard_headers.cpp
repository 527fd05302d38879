// Carries the precompiled header (UllageRoom.cmake); holds nothing itself.
