//===- streamtensor-sim.cpp - Cycle-level simulation driver ---------------===//

int main() { return 0; }
